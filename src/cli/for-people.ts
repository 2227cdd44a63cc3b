/** Which commands change the guards. Apart from person.ts, so that the calls of agents load nothing of it. */

import { guardChange } from '../spec/guard-commands.ts'
import type { Arguments } from './options.ts'

/** Each of these asks by itself, once it knows that it changes something. */
const ASK_THEMSELVES = ['enroll', 'fleet']

export function isForPeople(args: Arguments): boolean {
  const { command, words } = args
  if (ASK_THEMSELVES.includes(command.name)) return false
  // The list of questions that a person answers with one key.
  if (command.name === 'approvals' && words.length === 0 && process.stdin.isTTY === true) return true
  const has = (option: string) => args.flag(option) || args.values(option).length > 0
  return guardChange({ name: command.name, word: words[0], has }) !== undefined
}
