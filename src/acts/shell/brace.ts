/** `a{b,c}d` → `abd acd`, as text, before anything else is expanded. Quotes and `${…}`, `$(…)` are left alone. */

import { cutShort } from '../cut.ts'

const MAX_WORDS = 512
const MAX_DEPTH = 40
/** Numbers of a range all behave alike: the first few and the last are followed in place of all. */
const FEW_NUMBERS = 3

export function expandBraces(text: string, depth = 0): string[] {
  if (depth > MAX_DEPTH) {
    cutShort('too many braces in one word')
    return [text]
  }
  const found = outermost(text)
  if (!found) return [text]
  const { start, end, choices } = found
  const before = text.slice(0, start)
  const after = expandBraces(text.slice(end + 1), depth + 1)
  const all: string[] = []
  for (const choice of choices)
    for (const middle of expandBraces(choice, depth + 1))
      for (const rest of after) {
        if (all.length >= MAX_WORDS) {
          cutShort(`more than ${MAX_WORDS} words of one word with braces`)
          return all
        }
        all.push(before + middle + rest)
      }
  return all
}

function outermost(text: string): { start: number; end: number; choices: string[] } | undefined {
  for (let start = 0; start < text.length; start++) {
    start = skipQuoted(text, start)
    if (text[start] !== '{') continue
    const found = group(text, start)
    if (found) return { start, ...found }
  }
  return undefined
}

function group(text: string, start: number): { end: number; choices: string[] } | undefined {
  const choices: string[] = []
  let depth = 0
  let from = start + 1
  for (let at = start; at < text.length; at++) {
    at = skipQuoted(text, at)
    const char = text[at]
    if (char === '{') depth++
    else if (char === ',' && depth === 1) {
      choices.push(text.slice(from, at))
      from = at + 1
    } else if (char === '}' && --depth === 0) {
      if (choices.length > 0) return { end: at, choices: [...choices, text.slice(from, at)] }
      const range = sequence(text.slice(start + 1, at))
      return range && { end: at, choices: range }
    }
  }
  return undefined
}

/** The index of the last character of what is quoted here, or the same index. */
function skipQuoted(text: string, at: number): number {
  const char = text[at]
  if (char === '\\') return at + 1
  if (char === "'" || char === '"' || char === '`') {
    const end = text.indexOf(char, at + 1)
    return end === -1 ? at : end
  }
  if (char === '$' && (text[at + 1] === '{' || text[at + 1] === '(')) {
    const [open, close] = text[at + 1] === '{' ? ['{', '}'] : ['(', ')']
    let depth = 0
    for (let index = at + 1; index < text.length; index++) {
      if (text[index] === open) depth++
      else if (text[index] === close && --depth === 0) return index
    }
  }
  return at
}

function sequence(body: string): string[] | undefined {
  const numbers = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/.exec(body)
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d+))?$/.exec(body)
  if (!numbers && !letters) return undefined
  const [, first = '', last = '', step] = (numbers ?? letters)!
  const [from, to] = numbers ? [Number(first), Number(last)] : [first.charCodeAt(0), last.charCodeAt(0)]
  const by = Math.max(1, Math.abs(Number(step ?? 1))) * (from <= to ? 1 : -1)
  const all: string[] = []
  for (let value = from; by > 0 ? value <= to : value >= to; value += by) {
    all.push(numbers ? String(value) : String.fromCharCode(value))
    if (numbers && all.length >= FEW_NUMBERS) break
  }
  if (numbers && all.length === FEW_NUMBERS) all.push(String(to))
  return all
}
