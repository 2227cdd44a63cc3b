/**
 * All matches of a global pattern. The slow twin `matchAll` copies the pattern and makes an iterator per text, although
 * most texts have no match; a record of the warm engine is searched with dozens of patterns (bench/race.ts).
 */
export function occurrences(pattern: RegExp, text: string): readonly RegExpExecArray[] {
  pattern.lastIndex = 0
  let found = pattern.exec(text)
  if (!found) return NONE
  const all: RegExpExecArray[] = []
  for (; found; found = pattern.exec(text)) {
    all.push(found)
    if (found[0] === '') pattern.lastIndex++
  }
  return all
}

const NONE: readonly RegExpExecArray[] = []
