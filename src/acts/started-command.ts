/** A command with its words, and what it is given. */

import type { Redirected } from './shell/redirects.ts'
import type { Flow, Word } from './word.ts'

export interface Given {
  input: Flow | null
  env: ReadonlyMap<string, Word>
  redirected?: Redirected
  /** The words are a guess: an unset variable taken as empty, a line that does not parse. */
  isGuess?: boolean
  /** Functions and aliases do not count (`command`). */
  isProgram?: boolean
}

export interface Command {
  /** Base name of the program. */
  name: string
  argv: readonly Word[]
  text: string
  isGuess: boolean
}

export function asWord(flow: Flow, spelled: string): Word {
  if (flow.text === undefined) return { text: `$(${spelled})`, unknown: true, flow }
  return { text: flow.text, flow, ...(flow.partly && { unknown: true }) }
}

/** As a person would type it: words with spaces or signs of a shell in them stand in quotes. */
export function commandText(argv: readonly Word[]): string {
  return argv.map(asTyped).join(' ')
}

function asTyped({ text, unknown }: Word): string {
  if (unknown || (text !== '' && !/[\s;&|<>()'"\\]/.test(text))) return text
  return `'${text.replaceAll("'", "'\\''")}'`
}

export function programName(text: string): string {
  const base = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1).replace(/\r$/, '')
  return /\.(?:exe|cmd|bat|com)$/i.test(base) ? base.slice(0, -4).toLowerCase() : base
}
