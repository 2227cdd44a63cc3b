/** The table of commands: what help, completions and suggestions are made from. */

import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import type { Arguments } from './options.ts'

export interface Option {
  /** What the value is; a switch has none. */
  value?: string
  text: string
  multiple?: boolean
  short?: string
}

export interface Command {
  name: string
  summary: string
  /** Names of its words; in brackets when optional, with … when many. */
  words: readonly string[]
  options: Readonly<Record<string, Option>>
  load: () => Promise<{ run(args: Arguments): Promise<number> | number }>
  hidden?: boolean
}

export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  json: { text: 'print JSON for programs' },
  debug: { text: 'show on stderr what each hook does' },
  help: { text: 'show this help', short: 'h' },
}

const EVENT_OPTIONS: Readonly<Record<string, Option>> = {
  tool: { value: 'NAME', text: 'the tool, such as Shell or WriteFile' },
  input: { value: 'JSON', text: "the tool's input" },
  field: { value: 'NAME=VALUE', text: 'any other field of the event (JSON or text)', multiple: true },
  session: { value: 'ID', text: 'session id' },
  'work-dir': { value: 'DIR', text: 'the project (default: this folder)' },
  source: { value: 'PATH', text: 'use only the hooks of this file or folder', multiple: true },
  format: { value: 'ID', text: 'format of the sources, where their content does not tell' },
}

function command(
  name: string,
  words: readonly string[],
  summary: string,
  options: Readonly<Record<string, Option>>,
  load: Command['load'],
  hidden = false,
): Command {
  return { name, words, summary, options, load, hidden }
}

const TABLE: readonly Command[] = [
  command(
    'fire',
    ['EVENT'],
    'fire an event and show what the hooks decide',
    {
      ...EVENT_OPTIONS,
      'dry-run': { text: 'run nothing, show the plan' },
      all: { text: 'also list hooks that did not match' },
      via: { value: 'daemon', text: 'send the event to the running daemon' },
    },
    () => import('./fire.ts'),
  ),
  command('hook', ['AGENT', '[EVENT]'], "answer an agent's hook call (payload on stdin)", {}, () =>
    import('./hook.ts').then((m) => ({ run: (a: Arguments) => m.run(['hook', ...a.words]) })),
  ),
  command('help', ['[COMMAND]'], 'show the commands, or one of them', {}, () => import('./help.ts')),
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
