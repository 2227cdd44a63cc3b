/** Which commands change the guards. Apart from person.ts, so that the calls of agents load nothing of it. */

import type { Arguments } from './options.ts'

/** The commands, and when they change anything. */
const FOR_PEOPLE: Readonly<Record<string, (args: Arguments) => boolean>> = {
  setup: changes,
  install: changes,
  uninstall: changes,
  import: changes,
  trust: always,
  untrust: always,
  add: always,
  remove: always,
  edit: changes,
  update: (args) => !args.flag('check'),
  sync: (args) => !args.flag('frozen'),
  publish: (args) => !args.flag('check') && !args.flag('statement'),
  index: ({ words }) => ['add', 'remove', 'sign', 'build'].includes(words[0] ?? ''),
  approvals: ({ words }) =>
    ['allow', 'sign', 'key'].includes(words[0] ?? '') || (words.length === 0 && process.stdin.isTTY === true),
  grants: ({ words }) => words[0] === 'give',
  enforce: always,
  shadow: always,
  key: ({ words }) => words[0] !== 'show',
  disable: always,
  enable: always,
  verify: (args) => args.values('accept').length > 0,
  daemon: ({ words }) => words[0] === 'stop',
  // Whoever signs in on the page may change the guards there.
  ui: always,
}

function always(): boolean {
  return true
}

function changes(args: Arguments): boolean {
  return !args.flag('dry-run')
}

export function isForPeople(args: Arguments): boolean {
  const { name } = args.command
  return Object.hasOwn(FOR_PEOPLE, name) && FOR_PEOPLE[name]!(args)
}
