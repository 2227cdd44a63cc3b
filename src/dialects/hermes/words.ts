/** Splits a command line as Hermes Agent does: by shell quoting, but without running a shell. */

import { homedir } from 'node:os'

/** Undefined where a quote has no end. */
export function wordsOf(line: string, home = homedir()): string[] | undefined {
  const words: string[] = []
  const pattern = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|(\s+)|(.)/gs
  let word: string | undefined
  for (const [, single, double, escaped, plain, space, stray] of line.trim().matchAll(pattern)) {
    if (stray !== undefined) return undefined
    if (space !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    word = (word ?? '') + (single ?? double?.replace(/\\(["\\])/g, '$1') ?? escaped ?? plain ?? '')
  }
  if (word !== undefined) words.push(word)
  return words.map((each, i) => (i === 0 ? each.replace(/^~(?=\/|$)/, home) : each))
}

/** A line for a shell as one of these commands. */
export function shellCommand(line: string): string {
  return `/bin/sh -c "${line.replaceAll(/["\\]/g, '\\$&')}"`
}
