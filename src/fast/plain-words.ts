/**
 * Regular expressions as loops over letters: V8 takes half a millisecond of a cold call (bench/race.ts) to compile them for
 * the few texts of its record. The expressions are their slow twins, in plain-words.test.ts.
 */

/** Of a word, and of a part of a word between two of its separators. */
const MAX_LETTERS = 11
const MAX_DIGITS = 4
/** Of a word like `README.de.md`, and of a path. */
const MAX_SEPARATORS = 3
const MAX_FOLDERS = 8
const SHORT_FLAGS = 'cefgijlmoqrtvxyz'
const MAX_SHORT_FLAGS = 3

/** Short words, names and paths: `/^(?:[A-Za-z0-9]{0,11}[/._-])*[A-Za-z0-9]{0,11}$/` */
export function isName(text: string): boolean {
  let length = 0
  for (let at = 0; at < text.length; at++) {
    if (isLetter(text, at) || isDigit(text, at)) length++
    else if ('/._-'.includes(text[at]!)) length = 0
    else return false
    if (length > MAX_LETTERS) return false
  }
  return true
}

/** Has it a letter next to a digit, or many digits? `/[A-Za-z]\d|\d[A-Za-z]|\d{5}/` */
export function isMixed(text: string): boolean {
  let digits = 0
  for (let at = 0; at < text.length; at++) {
    digits = isDigit(text, at) ? digits + 1 : 0
    if (digits > MAX_DIGITS) return true
    if (digits > 0 && (isLetter(text, at - 1) || isLetter(text, at + 1))) return true
  }
  return false
}

/** `/^(?:[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/` */
export function isDigest(text: string): boolean {
  const isUuid = text.length === 36
  if (!isUuid && text.length !== 64) return false
  for (let at = 0; at < text.length; at++) {
    const isHyphen = isUuid && (at === 8 || at === 13 || at === 18 || at === 23)
    if (isHyphen ? text[at] !== '-' : !isHexDigit(text, at)) return false
  }
  return true
}

/** So many hexadecimal digits in small letters. */
export function isHex(text: string, length: number): boolean {
  if (text.length !== length) return false
  for (let at = 0; at < length; at++) if (!isHexDigit(text, at)) return false
  return true
}

/** The name of a field, or an index: `/^(?:[A-Za-z_]{1,40}|\d{1,3})$/` */
export function isPlainField(text: string): boolean {
  let letters = 0
  let digits = 0
  for (let at = 0; at < text.length; at++) {
    if (isLetter(text, at) || text[at] === '_') letters++
    else if (isDigit(text, at)) digits++
    else return false
  }
  return digits === 0 ? letters > 0 && letters <= 40 : letters === 0 && digits <= 3
}

/** `/^[A-Z]?[a-z]{1,11}(?:,? [a-z]{1,11})*[.!?]?$/` */
export function isSentence(text: string): boolean {
  let at = isUpper(text, 0) ? 1 : 0
  for (;;) {
    const start = at
    while (isLower(text, at)) at++
    if (at === start || at - start > MAX_LETTERS) return false
    if (at === text.length) return true
    if (text[at] === ',' && text[at + 1] === ' ') at++
    if (text[at] !== ' ') return at === text.length - 1 && '.!?'.includes(text[at]!)
    at++
  }
}

/**
 * Words with a space after each, after the last too or not: short flags, or a path of short words with `--`, `/` or dots before it.
 *
 * `/^(?:(?:-[cefgijlmoqrtvxyz]{1,3}|(?:--|[/.]{1,3})?NAME(?:\/NAME){0,8}\/?|[/.]{1,3})(?: |$))+$/`, where NAME is
 * `[A-Za-z]{1,11}(?:[._-][A-Za-z]{1,11}){0,3}`
 */
export function isPlainCommandLine(text: string): boolean {
  if (text === '') return false
  for (let at = 0; at < text.length; ) {
    const space = text.indexOf(' ', at)
    const end = space < 0 ? text.length : space
    if (!isPlainWord(text, at, end)) return false
    at = end + 1
  }
  return true
}

function isPlainWord(text: string, start: number, end: number): boolean {
  let at = start
  if (text[at] === '-') {
    if (text[at + 1] !== '-') return areShortFlags(text, start + 1, end)
    at += 2
  } else {
    while (at < end && (text[at] === '/' || text[at] === '.')) at++
    if (at - start > 3) return false
    if (at === end) return at > start
  }
  return isPath(text, at, end)
}

function areShortFlags(text: string, start: number, end: number): boolean {
  if (end === start || end - start > MAX_SHORT_FLAGS) return false
  for (let at = start; at < end; at++) if (!SHORT_FLAGS.includes(text[at]!)) return false
  return true
}

function isPath(text: string, start: number, end: number): boolean {
  let at = start
  let folders = 0
  let separators = 0
  for (;;) {
    const from = at
    while (at < end && isLetter(text, at)) at++
    if (at === from || at - from > MAX_LETTERS) return false
    if (at === end) return true
    const sign = text[at++]!
    if (sign === '/') {
      if (at === end) return true
      if (++folders > MAX_FOLDERS) return false
      separators = 0
    } else if (!'._-'.includes(sign) || ++separators > MAX_SEPARATORS) return false
  }
}

function isLower(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 97 && code <= 122
}

function isUpper(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 65 && code <= 90
}

function isLetter(text: string, at: number): boolean {
  return isLower(text, at) || isUpper(text, at)
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

function isHexDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 102)
}
