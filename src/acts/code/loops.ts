/** Variables of loops: what they hold is an element of what is looped over. Loops are found before the code is read. */

import type { Value } from './calls.ts'

const FORMS: readonly RegExp[] = [
  // python, julia, rust; R has brackets
  /\bfor\s*\(?\s*((?:[\w$]+\s*,\s*)*[\w$]+)\s*\)?\s+in\s+(?=\S)/g,
  // javascript
  /\bfor\s*(?:await\s*)?\(\s*(?:const|let|var)\s+([\w$]+)\s+of\s+(?=\S)/g,
]
/** php, perl, and methods with a block: the collection stands before the variable. */
const BEHIND: readonly RegExp[] = [
  /\bforeach\s*\((.{1,300}?)\s+as\s+(?:\$\w+\s*=>\s*)?(\$\w+)\s*\)/g,
  /\b(?:for|foreach)\s+(?:my\s+)?(\$\w+)\s*\((.{1,300}?)\)\s*\{/g,
  /((?:[\w.:$]+[([]|\[)[^\n;]{0,300}?[)\]])\s*\.\s*(?:each|map|for_?each|forEach)\s*(?:\(\s*)?(?:\{|do)?\s*\(?\|?\s*(\w+)\s*\|?\)?/g,
]

/** Pieces of code that give a loop's variables their values, each as `[names, expression]`. */
export function loopsOf(code: string): [string[], string][] {
  const found: [string[], string][] = []
  for (const form of FORMS)
    for (const match of code.matchAll(form)) {
      const rest = code.slice(match.index + match[0].length, match.index + match[0].length + 300)
      found.push([match[1]!.split(/\s*,\s*/), rest])
      if (found.length >= MOST_LOOPS) return found
    }
  for (const [at, form] of BEHIND.entries())
    for (const match of code.matchAll(form)) {
      const [name, collection] = at === 1 ? [match[1]!, match[2]!] : [match[2]!, match[1]!]
      found.push([[name], collection])
      if (found.length >= MOST_LOOPS) return found
    }
  return found
}

const MOST_LOOPS = 50

/** Only some of what is there is meant. */
export const PICKS =
  /\bif\b[^\n]{0,200}(?:ends_?with|starts_?with|suffix|match|includes|\.test\(|==|=~|\bin\b|mtime|ctime|\bage\b|stem|\bext)/i

/** What the functions that list a folder give: `*` in it. */
export function listed(folder: Value, isWhole: boolean): Value {
  if (!folder || !('text' in folder) || folder.isUnknown || !/^[/~]|^[A-Za-z]:/.test(folder.text)) return null
  const text = isWhole ? `${folder.text.replace(/\/$/, '')}/*` : '*'
  return { items: [{ text, isGlob: true }] }
}
