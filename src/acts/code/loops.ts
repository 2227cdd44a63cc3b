/** Variables of loops: what they hold is an element of what is looped over. Loops are found before the code is read. */

import { cutShort } from '../cut.ts'
import type { Value } from './calls.ts'

const FORMS: readonly RegExp[] = [
  // python, julia, rust; R has brackets
  /\bfor\s*\(?\s*((?:[\w$]+\s*,\s*)*[\w$]+)\s*\)?\s+in\s+(?=\S)/g,
  // javascript
  /\bfor\s*(?:await\s*)?\(\s*(?:const|let|var)\s+([\w$]+)\s+of\s+(?=\S)/g,
]
/** php and perl: the collection stands in brackets. */
const BEHIND: readonly [RegExp, collection: number, name: number][] = [
  [/\bforeach\s*\(([^\n]{1,300}?)\s+as\s+(?:\$\w+\s*=>\s*)?(\$\w+)\s*\)/g, 1, 2],
  [/\b(?:for|foreach)\s+(?:my\s+)?(\$\w+)\s*\(([^\n]{1,300}?)\)\s*\{/g, 2, 1],
]
/** Methods with a block: what stands before them is looked at from here, since it may be long. */
const METHOD = /[)\]]\s*\.\s*(?:each|map|for_?each|forEach)\s*(?:\(\s*)?(?:\{|do)?\s*\(?\|?\s*(\w+)\s*\|?\)?/g
const COLLECTION = /(?:(?<![\w.:$])[\w.:$]+[([]|\[).*$/
const MAX_COLLECTION_CHARS = 300
const MAX_LOOPS = 150

/** Pieces of code that give a loop's variables their values, each as `[names, expression]`. */
export function loopsOf(code: string): [string[], string][] {
  const found: [string[], string][] = []
  for (const form of FORMS)
    for (const match of loops(code, form)) {
      const rest = code.slice(
        match.index + match[0].length,
        match.index + match[0].length + MAX_COLLECTION_CHARS,
      )
      found.push([match[1]!.split(/\s*,\s*/), rest])
    }
  for (const [form, collection, name] of BEHIND)
    for (const match of loops(code, form)) found.push([[match[name]!], match[collection]!])
  for (const match of loops(code, METHOD)) {
    const before = code.slice(Math.max(0, match.index - MAX_COLLECTION_CHARS), match.index + 1)
    const line = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf(';')) + 1)
    const collection = COLLECTION.exec(line)?.[0]
    if (collection !== undefined) found.push([[match[1]!], collection])
  }
  return found
}

function loops(code: string, form: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = []
  for (const match of code.matchAll(form)) {
    if (found.length >= MAX_LOOPS) {
      cutShort('the code has more loops than are followed')
      break
    }
    found.push(match)
  }
  return found
}

/** Only some of what is there is meant. */
export const PICKS =
  /\bif\b[^\n]{0,200}(?:ends_?with|starts_?with|suffix|match|includes|\.test\(|==|=~|\bin\b|mtime|ctime|\bage\b|stem|\bext)/i

/** What the functions that list a folder give: `*` in it. */
export function listed(folder: Value, isWhole: boolean): Value {
  if (!folder || !('text' in folder) || folder.isUnknown || !/^[/~]|^[A-Za-z]:/.test(folder.text)) return null
  const text = isWhole ? `${folder.text.replace(/\/$/, '')}/*` : '*'
  return { items: [{ text, isGlob: true }] }
}
