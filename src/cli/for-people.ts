/** Which commands change guards. Separate from person.ts, so that agents' calls do not load it. */

import { guardChange } from '../spec/guard-commands.ts'
import type { Arguments } from './options.ts'

/** These ask by themselves once they know that they change something. */
const ASK_THEMSELVES = ['enroll', 'fleet']

export function isForPeople(args: Arguments): boolean {
  const { command, words } = args
  if (ASK_THEMSELVES.includes(command.name)) return false
  // The interactive list of questions.
  if (command.name === 'approvals' && words.length === 0 && process.stdin.isTTY === true) return true
  const has = (option: string) => args.flag(option) || args.values(option).length > 0
  return guardChange({ name: command.name, word: words[0], has }) !== undefined
}
