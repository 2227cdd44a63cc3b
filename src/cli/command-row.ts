/** One row of the table of commands, and the options that several commands share. */

import type { Arguments } from './options.ts'

export interface Option {
  /** Name of the value; left out for a flag. */
  value?: string
  text: string
  multiple?: boolean
  short?: string
}

export interface Command {
  name: string
  summary: string
  /** Names of its arguments; in brackets when optional, with … when there may be many. */
  words: readonly string[]
  options: Readonly<Record<string, Option>>
  load: () => Promise<{ run(args: Arguments): Promise<number> | number }>
  hidden?: boolean
  /** What follows is another command with its own options. */
  passesOn?: boolean
}

export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  json: { text: 'print JSON for programs' },
  debug: { text: 'show on stderr what each hook does' },
  help: { text: 'show this help', short: 'h' },
}

export const SOURCE: Option = {
  value: 'PATH',
  text: 'use only the hooks of this file or folder',
  multiple: true,
}
export const FORMAT: Option = {
  value: 'ID',
  text: 'format of the file or folder, where its content does not tell',
}

export const EVENT_OPTIONS: Readonly<Record<string, Option>> = {
  tool: { value: 'NAME', text: 'the tool, such as Shell or WriteFile' },
  input: { value: 'JSON', text: "the tool's input" },
  field: { value: 'NAME=VALUE', text: 'any other field of the event (JSON or text)', multiple: true },
  session: { value: 'ID', text: 'session id' },
  'work-dir': { value: 'DIR', text: 'the project (default: this folder)' },
  source: SOURCE,
  format: FORMAT,
}

export function command(
  name: string,
  words: readonly string[],
  summary: string,
  options: Readonly<Record<string, Option>>,
  load: Command['load'],
  hidden = false,
): Command {
  return { name, words, summary, options, load, hidden }
}
