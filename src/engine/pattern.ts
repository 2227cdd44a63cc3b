/** Patterns that people write, searched in linear time whatever the text: no input can stall a guard. */

import { messageOf } from '../spec/errors.ts'

export interface Pattern {
  /** True if it is found anywhere in the text. */
  test(text: string): boolean
}

/** Throws an Error that says what is wrong with the pattern. */
export async function compilePattern(text: string): Promise<Pattern> {
  return plainPattern(text) ?? (await loadPatterns())(text)
}

/** What is wrong with a pattern and what to write instead; null when it is fine. */
export async function checkPattern(text: string): Promise<string | null> {
  try {
    await compilePattern(text)
    return null
  } catch (thrown) {
    return messageOf(thrown)
  }
}

/** The synchronous form of `compilePattern`, for patterns that are known only at run time. */
export async function loadPatterns(): Promise<(text: string) => Pattern> {
  // Loaded with the engine, which is large: the explanations of patterns that it does not support.
  const { compileLinear } = await import('./linear-pattern.ts')
  return (text) => {
    const known = compiled.get(text)
    if (known) return known
    const pattern = plainPattern(text) ?? compileLinear(text)
    if (compiled.size >= CACHE_SIZE) compiled.delete(compiled.keys().next().value!)
    compiled.set(text, pattern)
    return pattern
  }
}

const CACHE_SIZE = 1000
const compiled = new Map<string, Pattern>()

/** Found wherever a text includes it. */
export function isPlainWord(text: string): boolean {
  return PLAIN_WORD.test(text)
}

const PLAIN_WORD = /^[\w-]+$/

/**
 * Words, alternatives of words and whole words are matched without the engine: loading it takes longer than all the
 * matching of a usual event.
 */
export function plainPattern(text: string): Pattern | undefined {
  // Most patterns are a tool's name; compiling the patterns below takes longer than judging 50 such hooks.
  if (isPlainWord(text)) return { test: (subject) => subject.includes(text) }
  if (text.includes('\\|')) return undefined // an escaped, literal bar
  const whole = /^\^\((?:\?:)?([^()]*)\)\$$/.exec(text)
  const branches = (whole ? whole[1]! : text).split('|')
  const tests: ((text: string) => boolean)[] = []
  for (const branch of branches) {
    const test = plainTest(whole ? `^${branch}$` : branch)
    if (!test) return undefined
    tests.push(test)
  }
  return { test: (subject) => tests.some((test) => test(subject)) }
}

function plainTest(branch: string): ((text: string) => boolean) | undefined {
  const found = /^(\^?)((?:[^\\^$.*+?()[\]{}]|\\[-./ :@#%&,;=!'"<>~_$^*+?()[\]{}])*)(\.\*)?(\$?)$/.exec(
    branch,
  )
  if (!found) return undefined
  const [, start, escaped, rest, end] = found
  const word = escaped!.replace(/\\(.)/g, '$1')
  // `.*` at the end changes nothing in a search, but `.*$` asks for one line.
  if (rest && end) return undefined
  if (start && end) return (text) => text === word || text === `${word}\n`
  if (start) return (text) => text.startsWith(word)
  if (end) return (text) => text.endsWith(word) || text.endsWith(`${word}\n`)
  return (text) => text.includes(word)
}
