/** Removes secrets from text before it is stored or shown. When in doubt, a word is removed. */

import {
  isDigest,
  isMixed,
  isName,
  isPlainCommandLine,
  isPlainField,
  isSentence,
} from '../fast/plain-words.ts'
import { announces, findSecrets } from './find.ts'
import { secretValues } from './find-known.ts'
import { MARK, markOf, REDACTED } from './mark.ts'
import { hints, isCount, isPerhapsSecretKey, isSecretKey } from './names.ts'
import { isPlaceholder, looksRandom } from './placeholders.ts'
import { hasPrefix } from './prefixes.ts'

/** Objects deeper than this are replaced as a whole. */
const MAX_DEPTH = 64

/**
 * What short words may still contain: beginnings of tokens and hook URLs, a program that takes a password as an
 * argument.
 */
const HEADS = ['eyJ', 'ZXlK', 'hooks.', 'add_user']
/** The shortest key of short parts without a prefix: a bot's of Discord. */
const MIN_KEY_OF_PARTS = 59

/** Linear time, whatever the text. */
export function redact(text: string): string {
  if (known.changes !== changesSeen) forget()
  if (harmless.has(text)) return text
  // In a name of short parts only a key of such parts can hide.
  const clean = isPlain(text) ? text : search(text, isName(text))
  if (clean === text && text.length <= MAX_REMEMBERED_CHARS) remember(text)
  return clean
}

function remember(text: string): void {
  remembered += text.length
  if (remembered > MAX_CHARS || harmless.size >= MAX_REMEMBERED) {
    harmless.clear()
    remembered = text.length
  }
  harmless.add(text)
}

/**
 * Digests and UUIDs, short names and paths, a sentence or a command of short words that announce no secret, with paths, long
 * flags and those short flags that take no password in any program of find-commands.ts; `redact.test.ts` compares all of this
 * with a full search.
 * Avoids loading the full search: most processes store one record, and loading takes longer than everything else here.
 */
function isPlain(text: string): boolean {
  for (const value of known.values) if (text.includes(value)) return false
  if (isDigest(text)) return true
  for (const head of HEADS) if (text.includes(head)) return false
  if (text.startsWith('{"')) return isPlainJson(text)
  // Letters next to digits, or many digits, may be a key of short parts.
  if (isName(text)) return !isMixed(text) || (text.length < MIN_KEY_OF_PARTS && !hasPrefix(text))
  if (!isSentence(text) && !isPlainCommandLine(text)) return false
  return !announces(text) && !hints(text)
}

/** Replies to agents are mostly JSON of plain words under plain names. */
function isPlainJson(text: string): boolean {
  if (text.length > MAX_REMEMBERED_CHARS) return false
  try {
    const value: unknown = JSON.parse(text)
    // Of duplicate fields all but the last are lost: only a text that survives the round trip was fully checked.
    const written = JSON.stringify(value)
    return (text === written || text === `${written}\n`) && isPlainValue(value, PLAIN_DEPTH)
  } catch {
    return false
  }
}

const PLAIN_DEPTH = 8

function isPlainValue(value: unknown, depth: number): boolean {
  // The name of a secret would make what follows it in the JSON its value.
  if (typeof value === 'string') return !value.startsWith('{"') && isPlain(value) && !hints(value)
  if (typeof value === 'number') return Math.abs(value) < 10_000
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  for (const key in value)
    if (!(isPlainKey(key) && isPlainValue((value as Record<string, unknown>)[key], depth - 1))) return false
  return true
}

/** A key of an object, or an index of a list. */
function isPlainKey(key: string): boolean {
  return isPlainField(key) && !hints(key)
}

/** For the name of a hook or tool: `q-secret:before[0]` is not a secret called `before[0]`. */
export function redactName(name: string): string {
  if (known.changes !== changesSeen) forget()
  if (harmless.has(name)) return name
  if (!isPlain(name)) return search(name, OF_PARTS.test(name))
  if (name.length <= MAX_REMEMBERED_CHARS) remember(name)
  return name
}

/** `command:file:trigger[0]`: the name given to hooks without one. */
const OF_PARTS = /^[\w. /-]+(?::[\w. /-]+)+(?:\[\d+\])?$/

function search(text: string, byLooks = false): string {
  const found = findSecrets(text, { known: known.values, byLooks })
  if (found.length === 0) return text
  let out = ''
  let done = 0
  for (const { kind, start, end } of found) {
    out += text.slice(done, start) + markOf(kind, text.slice(start, end))
    done = end
  }
  return out + text.slice(done)
}

/** Texts without a finding: the same names and guards' answers recur. */
const harmless = new Set<string>()
let remembered = 0
const MAX_REMEMBERED_CHARS = 1024
const MAX_CHARS = 256 * 1024
const MAX_REMEMBERED = 4096

interface Known {
  /** Values of secret variables of all environments that this process has seen. */
  values: Set<string>
  changes: number
}

const MAX_CACHED = 512
const KNOWN = Symbol.for('crosshook.known-secrets')
const inProcess = globalThis as { [KNOWN]?: Known }
/** One for the process: the built program holds this file twice, in the hot file and beside the lazy ones. */
inProcess[KNOWN] ??= { values: new Set(), changes: 0 }
const known = inProcess[KNOWN]
let changesSeen = 0

let lastEnv: object | undefined

/** From now on values of secret variables are removed from every text, whatever their name there. */
export function learnSecrets(env: Readonly<Record<string, string | undefined>>): void {
  if (env === lastEnv) return
  lastEnv = env
  const { values } = known
  for (const value of secretValues(env)) {
    if (values.has(value)) continue
    if (values.size >= MAX_CACHED) values.delete(values.values().next().value!)
    values.add(value)
    known.changes++
  }
}

/** What was harmless before more secrets were known need not be now. */
function forget(): void {
  changesSeen = known.changes
  harmless.clear()
  remembered = 0
  openKeys.clear()
}

/**
 * A copy with every text redacted and everything below a key such as `password` removed; the value itself if nothing is
 * secret.
 */
export function redactDeep<T>(value: T): T {
  return isHarmless(value) ? value : (walk(value, false, MAX_DEPTH) as T)
}

/** Nothing to redact, as in most records, and no text longer than `longest`: need not be copied. */
export function isHarmless(value: unknown, longest = Number.POSITIVE_INFINITY): boolean {
  return isClean(value, longest, MAX_DEPTH)
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
    if (isHookName(value, key)) {
      if (redactName(String(field)) !== field) return false
    } else if (!(isOpenKey(key) || (redact(key) === key && !isSecretField(value, key, field)))) return false
    else if (!isClean(field, longest, depth - 1)) return false
  }
  return true
}

/** Names of a record's own fields: neither secrets nor announcing one. */
const openKeys = new Set<string>()

function isOpenKey(key: string): boolean {
  if (key === 'value') return false // may belong to a name in another field
  if (known.changes !== changesSeen) forget()
  if (openKeys.has(key)) return true
  if (key.length > MAX_REMEMBERED_CHARS || redact(key) !== key || isSecretKey(key) || isPerhapsSecretKey(key))
    return false
  if (openKeys.size >= MAX_REMEMBERED) openKeys.clear()
  openKeys.add(key)
  return true
}

/** At most `limit` characters, redacted; a secret that the cut would split is found as well. */
export function redactClipped(text: string, limit: number): string {
  if (text.length <= limit) return clip(redact(text), limit)
  return clip(`${redact(wholeWords(text, limit + MARGIN))}…`, limit)
}

const MARGIN = 1024

function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`
}

/** The beginning of a text without its last, perhaps incomplete, word. */
function wholeWords(text: string, length: number): string {
  if (text.length <= length) return text
  let end = length
  while (end > length - MARGIN && !/\s/.test(text[end]!)) end--
  return text.slice(0, end)
}

function walk(value: unknown, secret: boolean, depth: number): unknown {
  if (typeof value === 'string') return secret ? whole(value) : redact(value)
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
    const kept = isHookName(value, key) ? redactName(String(field)) : walk(field, isSecret, depth - 1)
    // A plain assignment to `__proto__` would change what the copy inherits.
    if (name === '__proto__') Object.defineProperty(copy, name, { value: kept, enumerable: true })
    else copy[name] = kept
  }
  return copy
}

/** A text below a secret key. */
function whole(text: string): string {
  return isPublic(text) ? text : markOf('field', text)
}

function isOrdinary(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The name in a hook's report. */
function isHookName(owner: object, key: string): boolean {
  return key === 'name' && 'status' in owner && 'attempts' in owner
}

function isSecretField(owner: object, key: string, field: unknown): boolean {
  const name = nameOf(owner, key)
  if (isSecretKey(name)) return !isCount(key, field) && !(typeof field === 'string' && isPublic(field))
  return typeof field === 'string' && isPerhapsSecretKey(name) && looksRandom(field)
}

function isPublic(text: string): boolean {
  return isPlaceholder(text) || MARK.test(text)
}

/** In `{name: 'DB_PASSWORD', value: 'x'}` the value's name is in another field. */
function nameOf(owner: object, key: string): string {
  const { name } = owner as { name?: unknown }
  return key === 'value' && typeof name === 'string' ? name : key
}

/** `['--password', 'x']`, as programs get their arguments. */
function isSecretFlag(item: unknown): boolean {
  return typeof item === 'string' && /^--?[\w-]+$/.test(item) && isSecretKey(item)
}
