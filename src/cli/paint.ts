/** Colour, only on a terminal and only unless disabled. */

import { fstatSync } from 'node:fs'
import { ownEnvironment } from '../host/environment.ts'

export interface Painter {
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  dim(text: string): string
  bold(text: string): string
}

/** For a stream, or for 1 (stdout) or 2 (stderr), which costs nothing when it is not a terminal. */
export function painter(stream: NodeJS.WriteStream | 1 | 2): Painter {
  const { NO_COLOR, TERM } = ownEnvironment()
  const on = !NO_COLOR && TERM !== 'dumb' && isTerminal(stream)
  const with_ = (code: number) => (text: string) => (on ? `\u001b[${code}m${text}\u001b[0m` : text)
  return { red: with_(31), green: with_(32), yellow: with_(33), dim: with_(2), bold: with_(1) }
}

/** In characters; undefined when it is not a terminal. */
export function terminalWidth(fd: 1 | 2): number | undefined {
  if (!isTerminal(fd)) return undefined
  return (fd === 1 ? process.stdout : process.stderr).columns || undefined
}

function isTerminal(stream: NodeJS.WriteStream | 1 | 2): boolean {
  if (typeof stream !== 'number') return stream.isTTY === true
  try {
    return (
      fstatSync(stream).isCharacterDevice() && (stream === 1 ? process.stdout : process.stderr).isTTY === true
    )
  } catch {
    return false // closed
  }
}
