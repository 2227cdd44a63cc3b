/** Goes through the fields of a tool's input, however deep they lie. */

import { cutShort } from './cut.ts'
import { usualField } from './field-words.ts'

type Input = Readonly<Record<string, unknown>>

/** With `args` beside it. */
export const STARTED = /^(?:command|cmd|program|executable|binary|bin)$/i
/** A program and its arguments, or several lines. */
const LISTS = /^(?:command|cmd|commands|argv|command_?line)$/i

const MAX_DEPTH = 40
const MAX_FIELDS = 20_000

export function walk(
  value: unknown,
  depth: number,
  visit: (field: string, value: string, around: Input) => void,
  visitList?: (field: string, words: readonly string[]) => void,
): void {
  let left = MAX_FIELDS
  const step = (each: unknown, level: number, field: string, around: Input): void => {
    if (left-- <= 0) cutShort(`more than ${MAX_FIELDS} fields`)
    else if (level > MAX_DEPTH) cutShort(`fields more than ${MAX_DEPTH} levels deep`)
    else if (typeof each === 'string') visit(field, each, around)
    else if (Array.isArray(each)) {
      if (
        visitList &&
        (LISTS.test(field) || LISTS.test(usualField(field))) &&
        each.every((item) => typeof item === 'string')
      )
        visitList(field, each)
      else for (const item of each) step(item, level + 1, field, around)
    } else if (typeof each === 'object' && each !== null)
      for (const [key, inner] of Object.entries(each)) {
        // `files: { "path": "content" }`
        if (/^(?:[~/]|\.[\w.]).*\//.test(key)) visit('path', key, each as Input)
        if ((key === 'args' || key === 'arguments') && Object.keys(each).some((other) => STARTED.test(other)))
          continue
        step(inner, level + 1, key, each as Input)
      }
  }
  step(value, depth, '', {})
}
