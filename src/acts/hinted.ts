/**
 * Large patterns that most texts do not match: compiling one takes a new process longer than all else that it does with a
 * path. Each text that a pattern matches holds one of its hints, in lower case; most texts hold none and are done.
 */

export interface Hinted {
  test(text: string): boolean
  /** For tests. */
  readonly patterns: readonly RegExp[]
}

/**
 * One pattern of all, made at the first text with a hint: compiling each takes longer than compiling all at once. Patterns
 * that are made of others are given as a function, and made then too.
 */
export function hinted(
  hints: readonly string[],
  given: readonly RegExp[] | (() => readonly RegExp[]),
  flags = '',
): Hinted {
  let all: RegExp | undefined
  const patterns = () => (typeof given === 'function' ? given() : given)
  return {
    get patterns() {
      return patterns()
    },
    test(text) {
      const lower = text.toLowerCase()
      if (!hints.some((hint) => lower.includes(hint))) return false
      all ??= new RegExp(
        patterns()
          .map(({ source }) => `(?:${source})`)
          .join('|'),
        flags,
      )
      return all.test(text)
    },
  }
}
