/**
 * JSON in which no object names a field twice. Of two fields of one name `JSON.parse` takes the last and other readers
 * the first: whoever writes such a text says one thing to us and another to somebody else.
 */

/** As `JSON.parse`; throws as well where an object names a field twice. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (typeof value === 'object' && value !== null && namesIn(text) !== fieldsOf(value))
    throw new SyntaxError('an object in it names a field twice')
  return value
}

/** How many fields a text names that is JSON: texts with a colon after them. */
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

/** How many are left of them. Not by recursion: what is read may be deep. */
function fieldsOf(value: object): number {
  let fields = 0
  const open: object[] = [value]
  for (let owner = open.pop(); owner !== undefined; owner = open.pop()) {
    const inner = Object.values(owner)
    if (!Array.isArray(owner)) fields += inner.length
    for (const each of inner) if (typeof each === 'object' && each !== null) open.push(each)
  }
  return fields
}

const COLON = 0x3a
const BACKSLASH = 0x5c

function isEscaped(text: string, quote: number): boolean {
  let at = quote
  while (text.charCodeAt(at - 1) === BACKSLASH) at--
  return (quote - at) % 2 === 1
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
