/**
 * JSON in which no object has a field twice. `JSON.parse` takes the last of two fields of one name and other readers
 * the first, so such a text could say one thing to us and another to somebody else.
 */

/** Like `JSON.parse`, but also throws when an object has a field twice. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (typeof value === 'object' && value !== null && hasTwice(text, fieldsOf(value)))
    throw new SyntaxError('an object in it has the same field twice')
  return value
}

/**
 * More names in the text than fields in the value? There are never fewer, and never more names than colons after a quote,
 * which are quickly counted: only where the two differ, as with such a colon inside a text, the text is read in full.
 */
function hasTwice(text: string, fields: number): boolean {
  return colonsAfterQuotes(text) !== fields && namesIn(text) !== fields
}

function colonsAfterQuotes(text: string): number {
  let count = 0
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    let before = at - 1
    while (isSpace(text.charCodeAt(before))) before--
    if (text.charCodeAt(before) === QUOTE) count++
  }
  return count
}

/** Number of fields in a JSON text: strings followed by a colon. */
function namesIn(text: string): number {
  let names = 0
  for (let start = text.indexOf('"'); start >= 0; ) {
    let end = text.indexOf('"', start + 1)
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
    let next = end + 1
    while (isSpace(text.charCodeAt(next))) next++
    if (text.charCodeAt(next) === COLON) names++
    start = text.indexOf('"', next)
  }
  return names
}

/** Number of fields after parsing. Not recursive: the value may be deeply nested. */
function fieldsOf(value: object): number {
  let fields = 0
  const open: object[] = [value]
  for (let owner = open.pop(); owner !== undefined; owner = open.pop()) {
    if (Array.isArray(owner)) {
      for (const inner of owner) if (typeof inner === 'object' && inner !== null) open.push(inner)
      continue
    }
    for (const key in owner) {
      fields++
      const inner = (owner as Record<string, unknown>)[key]
      if (typeof inner === 'object' && inner !== null) open.push(inner)
    }
  }
  return fields
}

const COLON = 0x3a
const QUOTE = 0x22
const BACKSLASH = 0x5c

function isEscaped(text: string, quote: number): boolean {
  let at = quote
  while (text.charCodeAt(at - 1) === BACKSLASH) at--
  return (quote - at) % 2 === 1
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
