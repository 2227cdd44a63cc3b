/**
 * crosshook's own commands that change guards or answer in a person's place. The command line refuses them inside an
 * agent's process tree; in a command of an agent they are an act `change_guards`.
 */

export interface GuardCommand {
  /** What it changes, in a few words. */
  why: string
  /** Only when the first word is one of these. */
  words?: readonly string[]
  /** Not when the first word is one of these. */
  butWords?: readonly string[]
  /** Only with this option. */
  option?: string
  /** Not with one of these flags, which change nothing. */
  butFlags?: readonly string[]
}

const HOOKS = 'changes which hooks run'
const WHO = 'changes who decides which hooks run'

export const GUARD_COMMANDS: Readonly<Record<string, GuardCommand>> = {
  setup: { why: HOOKS, butFlags: ['dry-run'] },
  install: { why: HOOKS, butFlags: ['dry-run'] },
  uninstall: { why: HOOKS, butFlags: ['dry-run'] },
  import: { why: HOOKS, butFlags: ['dry-run'] },
  trust: { why: HOOKS },
  untrust: { why: HOOKS },
  add: { why: HOOKS },
  remove: { why: HOOKS },
  edit: { why: HOOKS, butFlags: ['dry-run'] },
  update: { why: HOOKS, butFlags: ['check'] },
  sync: { why: HOOKS, butFlags: ['frozen'] },
  disable: { why: HOOKS },
  enable: { why: HOOKS },
  enforce: { why: HOOKS },
  shadow: { why: HOOKS },
  publish: { why: 'signs in the name of the person', butFlags: ['check', 'statement'] },
  index: { why: 'changes where hooks come from', words: ['add', 'remove', 'sign', 'build'] },
  key: { why: 'changes whose signatures count', butWords: ['show'] },
  approvals: { why: 'answers a question that was put to the person', words: ['allow', 'sign', 'key'] },
  grants: { why: 'gives a permission in the place of the person', words: ['give'] },
  verify: { why: 'takes a damaged journal for whole', option: 'accept' },
  daemon: {
    why: 'stops the engine of the hooks, or takes one away',
    words: ['stop', 'restart', 'kill', 'forget'],
  },
  // Whoever signs in on the page may change the guards there.
  ui: { why: 'opens the page on which the person decides' },
  enroll: { why: WHO },
  fleet: { why: WHO, butWords: ['status', 'journal', 'audit', 'export'] },
}

export interface GivenCommand {
  name: string
  /** The first word after it. */
  word: string | undefined
  has(option: string): boolean
}

/** Why only a person may give this command; undefined when anybody may. */
export function guardChange({ name, word, has }: GivenCommand): string | undefined {
  const row = Object.hasOwn(GUARD_COMMANDS, name) ? GUARD_COMMANDS[name]! : undefined
  if (!row) return undefined
  const { words, butWords, option, butFlags } = row
  if (words && !words.includes(word ?? '')) return undefined
  if (butWords?.includes(word ?? '')) return undefined
  if (option !== undefined && !has(option)) return undefined
  return butFlags?.some(has) ? undefined : row.why
}
