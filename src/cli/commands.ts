/** The table of commands, from which help, completions and suggestions are made. */

import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import type { Command } from './command-row.ts'
import { AGENTS } from './commands-agents.ts'
import { HISTORY } from './commands-history.ts'
import { HOSTS } from './commands-hosts.ts'
import { JUDGING } from './commands-judging.ts'
import { PACKS } from './commands-packs.ts'
import { SWITCHING, WRITING } from './commands-writing.ts'

/** After these commands agents are wired for the events that hooks now listen to: see rewire.ts. */
export const CHANGES_HOOKS: ReadonlySet<string> = new Set([
  ...['add', 'disable', 'edit', 'enable', 'enforce', 'import', 'new', 'remove', 'shadow', 'sync', 'trust'],
  ...['untrust', 'update'],
])

/** After these as well, because people run them on a hook that they wrote by hand. Their own exit status counts. */
export const LOOKS_AT_HOOKS: ReadonlySet<string> = new Set(['test', 'validate'])

/** In the order in which the help shows them. */
const TABLE: readonly Command[] = [
  ...JUDGING,
  ...WRITING,
  ...PACKS,
  ...SWITCHING,
  ...HISTORY,
  ...AGENTS,
  ...HOSTS,
]

export const COMMANDS: Readonly<Record<string, Command>> = Object.fromEntries(
  TABLE.map((entry) => [entry.name, entry]),
)

export function findCommand(name: string): Command {
  const found = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (found) return found
  const names = TABLE.filter((entry) => !entry.hidden).map((entry) => entry.name)
  throw new CrosshookError('usage', `unknown command "${name}".${didYouMean(name, names)}`)
}
