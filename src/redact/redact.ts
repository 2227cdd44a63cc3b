/** Takes secrets out of text before it is kept or shown. When in doubt, a word is taken out. */

import { HINT, isCount, isSecretKey } from './secret-keys.ts'
import { redactPairs } from './secret-pairs.ts'
import { redactShapes } from './secret-shapes.ts'

export const REDACTED = '[REDACTED]'

const DEPTH = 64

/** Short words, names and paths, digests and UUIDs, which most texts of a record are: no need to look closer. */
const NAME = /^(?:[A-Za-z0-9]{0,11}[/._-])*[A-Za-z0-9]{0,11}$/
const DIGEST = /^(?:[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
/** What secrets begin with that may be such a name. */
const PREFIX =
  /(?<![A-Za-z0-9])(?:(?:sk|pypi|xai|pplx|nvapi|tvly|tskey|xapp|xox[a-z]|gl[a-z]{2,6}|GOCSPX|PMAK|AGE-SECRET-KEY)-|(?:hv[sb]|SG|ya29)\.|[srp]k_|dckr_pat_|AIza|1\/\/0)/
/** A sentence of short words, none of which announces a secret. */
const SENTENCE = /^[A-Z]?[a-z]{1,11}(?:,? [a-z]{1,11})*[.!?]?$/
const ANNOUNCED = /login|bearer|basic/i

/** Time grows with the length of the text only, whatever is in it. */
export function redact(text: string): string {
  if (harmless.has(text)) return text
  const clean = isPlain(text) ? text : search(text)
  if (clean === text && text.length < SHORT) {
    if (harmless.size >= MOST) harmless.clear()
    harmless.add(text)
  }
  return clean
}

/** Most processes keep one record: what is needed to look closer takes longer to get ready than all of this. */
function isPlain(text: string): boolean {
  if (DIGEST.test(text) || (NAME.test(text) && !PREFIX.test(text))) return true
  return SENTENCE.test(text) && !ANNOUNCED.test(text) && !HINT.test(text)
}

function search(text: string): string {
  if (!ESCAPED.test(text) || SPACES.test(text)) return redactPairs(redactShapes(text, REDACTED), REDACTED)
  // In JSON a line that begins with `auth=` reads `\\nauth=`: such ends of lines must not join its words.
  const spaced = text.replaceAll('\\n', '\u2028').replaceAll('\\r', '\u2029').replaceAll('\\t', '\u2003')
  const clean = redactPairs(redactShapes(spaced, REDACTED), REDACTED)
  return clean.replaceAll('\u2028', '\\n').replaceAll('\u2029', '\\r').replaceAll('\u2003', '\\t')
}

const ESCAPED = /\\[nrt]/
const SPACES = /[\u2028\u2029\u2003]/

/** Short texts in which nothing was found: the same names come again and again. */
const harmless = new Set<string>()
const SHORT = 128
const MOST = 4096

/** Every text in it redacted, and everything below a key such as `password` gone: a copy, unless nothing is secret. */
export function redactDeep<T>(value: T): T {
  return isHarmless(value) ? value : (walk(value, false, DEPTH) as T)
}

/** Nothing to redact, which is so for most records, and no text longer than that: it need not be copied. */
export function isHarmless(value: unknown, longest = Number.POSITIVE_INFINITY): boolean {
  return isClean(value, longest, DEPTH)
}

function isClean(value: unknown, longest: number, depth: number): boolean {
  if (typeof value === 'string') return value.length <= longest && redact(value) === value
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++)
      if (isSecretFlag(value[i - 1]) || !isClean(value[i], longest, depth - 1)) return false
    return true
  }
  if (!isOrdinary(value)) return false
  for (const key in value) {
    const field = (value as Record<string, unknown>)[key]
    if (redact(key) !== key || isSecretField(value, key, field) || !isClean(field, longest, depth - 1))
      return false
  }
  return true
}

/** At most `limit` characters of it, redacted; a secret that the cut would spoil does not slip through. */
export function redactClipped(text: string, limit: number): string {
  if (text.length <= limit) return clip(redact(text), limit)
  return clip(`${redact(wholeWords(text, limit + MARGIN))}…`, limit)
}

const MARGIN = 1024

function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`
}

/** The start of a text without its last, perhaps incomplete, word. */
function wholeWords(text: string, length: number): string {
  if (text.length <= length) return text
  let end = length
  while (end > length - MARGIN && !/\s/.test(text[end]!)) end--
  return text.slice(0, end)
}

function walk(value: unknown, secret: boolean, depth: number): unknown {
  if (typeof value === 'string') return secret ? REDACTED : redact(value)
  if (typeof value === 'number' || typeof value === 'bigint') return secret ? REDACTED : value
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return REDACTED
  if (Array.isArray(value))
    return value.map((item, i) => walk(item, secret || isSecretFlag(value[i - 1]), depth - 1))
  if (!isOrdinary(value)) {
    const plain: unknown = JSON.parse(JSON.stringify(value) ?? 'null')
    return walk(plain, secret, depth - 1)
  }
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const field = (value as Record<string, unknown>)[key]
    const isSecret = secret || isSecretField(value, key, field)
    const name = redact(key)
    const kept = walk(field, isSecret, depth - 1)
    // As a plain assignment it would change what the copy inherits.
    if (name === '__proto__') Object.defineProperty(copy, name, { value: kept, enumerable: true })
    else copy[name] = kept
  }
  return copy
}

function isOrdinary(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function isSecretField(owner: object, key: string, field: unknown): boolean {
  return isSecretKey(nameOf(owner, key)) && !isCount(key, field)
}

/** In `{name: 'DB_PASSWORD', value: 'x'}` the value's name is not its key. */
function nameOf(owner: object, key: string): string {
  const { name } = owner as { name?: unknown }
  return key === 'value' && typeof name === 'string' ? name : key
}

/** `['--password', 'x']`, as programs get their arguments. */
function isSecretFlag(item: unknown): boolean {
  return typeof item === 'string' && /^--?[\w-]+$/.test(item) && isSecretKey(item)
}
