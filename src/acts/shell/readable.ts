/** How much of a text the parser is given: it is fast, but not for any number of signs, nor for braces that stay open. */

import { cutShort } from '../cut.ts'

/** Characters outside of quotes and here-documents that are more than text: 16,000 are parsed in about 40 ms. */
const MAX_SIGNS = 16_000
/** The parser looks for the end of each `{a,` that it meets, and of each here-document. */
const MAX_BRACES = 2_500
const MAX_DOCUMENTS = 2_500

/** The text, or its beginning; a cut is recorded. */
export function readable(text: string): string {
  // A text this short is always within the limits.
  if (text.length <= MAX_BRACES) return text
  const counts = { signs: 0, braces: 0, documents: 0 }
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!
    if (sign === "'" || sign === '"') at = quoteEnd(text, at, counts)
    else if (sign === '\\') at++
    else if (sign === '#' && /\s/.test(text[at - 1] ?? ' ')) at = endOr(text, '\n', at, text.length)
    else if (sign === '<' && text[at + 1] === '<') {
      counts.documents++
      at = documentEnd(text, at)
    } else if (sign === '{' && text[at - 1] !== '$') counts.braces++
    if (isSign(sign)) counts.signs++
    const over = tooMany(counts)
    if (over !== undefined) {
      cutShort(over)
      return text.slice(0, at)
    }
  }
  return text
}

interface Counts {
  signs: number
  braces: number
  documents: number
}

function tooMany({ signs, braces, documents }: Counts): string | undefined {
  if (braces > MAX_BRACES) return `more than ${MAX_BRACES} braces`
  if (documents > MAX_DOCUMENTS) return `more than ${MAX_DOCUMENTS} here-documents`
  return signs > MAX_SIGNS ? `more than ${MAX_SIGNS} signs` : undefined
}

function isSign(sign: string): boolean {
  return !/[\w./:=@%+-]/.test(sign)
}

/** The end of a quoted text, or the same place when it has none. Substitutions in it are parsed too. */
function quoteEnd(text: string, at: number, counts: Counts): number {
  const quote = text[at]!
  let end = text.indexOf(quote, at + 1)
  if (quote === '"') while (end !== -1 && isEscaped(text, end)) end = text.indexOf(quote, end + 1)
  if (end === -1) return at
  if (quote === '"') for (let inner = at; inner < end; inner++) if (/[$`]/.test(text[inner]!)) counts.signs++
  return end
}

function isEscaped(text: string, at: number): boolean {
  let count = 0
  while (text[at - 1 - count] === '\\') count++
  return count % 2 === 1
}

/** The last character of a here-document that begins here, or of `<<` when it has no end. */
function documentEnd(text: string, at: number): number {
  const begins = /^<<-?\s*(['"]?)(\w+)\1[^\n]{0,500}\n/.exec(text.slice(at, at + 600))
  if (!begins) return at + 1
  const end = text.indexOf(`\n${begins[2]}`, at + begins[0].length - 1)
  return end === -1 ? at + 1 : end
}

function endOr(text: string, sign: string, at: number, otherwise: number): number {
  const end = text.indexOf(sign, at)
  return end === -1 ? otherwise : end
}
