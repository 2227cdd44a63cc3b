/** Output of commands. */

import { foldedFor } from './fold.ts'
import { err, out } from './output.ts'
import { painter } from './paint.ts'
import { visible } from './visible.ts'

export function print(text: string): void {
  printAsIs(foldedFor(1, text))
}

/** Without wrapping: for text to copy, and for files, diffs and programs that a person must see exactly. */
export function printAsIs(text: string): void {
  out(text.endsWith('\n') || text === '' ? text : `${text}\n`)
}

export function printJson(value: unknown): void {
  out(`${JSON.stringify(value)}\n`)
}

export function warn(sentence: string): void {
  err(foldedFor(2, `${painter(2).yellow('warning:')} ${visible(sentence)}\n`))
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** `4.2 ms`, `45 ms`, `1.2 s`. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
}
