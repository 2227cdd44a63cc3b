/** The prefixes of the rows of shapes.ts, found without making the rows. */

import { PREFIXES } from './gen/prefixes.ts'

/** Does any word of the text begin with one? */
export function hasPrefix(text: string): boolean {
  let isInWord = false
  for (let index = 0; index < text.length; index++) {
    const isStart = !isInWord
    isInWord = isWordCode(text.charCodeAt(index))
    if (isStart && prefixAt(text, index) !== undefined) return true
  }
  return false
}

export function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
}

/** The longest prefix of a row of shapes.ts at this position, which is the start of a word. */
export function prefixAt(text: string, index: number): string | undefined {
  const code = text.charCodeAt(index)
  const next = text.charCodeAt(index + 1)
  if (!(code < ASCII && next < ASCII)) return undefined
  const key = code * ASCII + next
  let own = starts.get(key)
  if (!own) starts.set(key, (own = startingWith(text.slice(index, index + 2))))
  return own.length === 0 ? undefined : own.find((prefix) => text.startsWith(prefix, index))
}

/** All prefixes are ASCII: their character codes are below this. */
const ASCII = 128

/** Prefixes by their first two characters, longest first; filled on demand. */
const starts = new Map<number, readonly string[]>()

function startingWith(two: string): readonly string[] {
  let at = PREFIXES.indexOf(` ${two}`)
  if (at < 0 || two.includes(' ')) return NONE
  const found: string[] = []
  for (; at >= 0; at = PREFIXES.indexOf(` ${two}`, at + 1)) {
    const end = PREFIXES.indexOf(' ', at + 1)
    found.push(PREFIXES.slice(at + 1, end < 0 ? undefined : end))
  }
  return found.sort((a, b) => b.length - a.length)
}

const NONE: readonly string[] = []
