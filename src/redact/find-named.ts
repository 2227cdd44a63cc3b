/** Secrets announced by a name: `password=x`, `"apiKey": "x"`, `--token x`, `<secret>x</secret>`. */

import { occurrences } from '../fast/occurrences.ts'
import type { Secret } from './find.ts'
import { hints, isCount, isPerhapsSecretKey, isSecretKey, isSecretParameter } from './names.ts'
import { isPlaceholder, looksDrawn, looksRandom, mayBeDigest } from './placeholders.ts'
import { lineOf, type Span, valueAt, wordsOf } from './value-end.ts'

export function findNamed(text: string, before: readonly Secret[], add: (found: Secret) => void): void {
  if (!hints(text)) return
  const logins = new Set(before.filter(({ kind }) => kind === 'url-login').map(({ start }) => start))
  const put = (name: string, value: Span | undefined) => {
    // The login in a URL, found already; its host is no secret.
    if (value && !logins.has(value.start))
      add({ kind: kindOf(name), ...value, certain: isCertain(name, text.slice(value.start, value.end)) })
  }
  eachValue(text, KEY, pairValue, (name, value) =>
    put(value && /^value$/i.test(name) ? (namedBefore(text, value.start) ?? name) : name, value),
  )
  if (text.includes('</'))
    for (const { 0: all, 1: name, index } of occurrences(ELEMENT, text))
      if (isSecretKey(name!))
        put(name!, secretSpan(text, trimmed(text, index + name!.length + 2, index + all.length)))
  for (const { 0: all, 1: name, 2: value, index } of occurrences(GIVEN, text))
    if (isSecretKey(name!)) {
      const end = index + all.length - 1
      put(name!, secretSpan(text, { start: end - value!.length, end }))
    }
  if (text.includes('-')) eachValue(text, FLAG, flagValue, put)
  for (const { 1: name, 2: value, index, 0: all } of occurrences(SPOKEN, text)) {
    const end = index + all.length
    if (/\d/.test(value!) && /[A-Za-z]/.test(value!))
      put(name!, secretSpan(text, { start: end - value!.length, end }))
  }
}

// Each starts only at the start of a word, and unbounded repetitions are never scanned twice.
const KEY =
  /(?<![\w$.-])[\w$.-]+(?=\\{0,4}["'`]?\]?\s{0,4}(?:string\s{0,4})?(?:=>|(?:\|\|)?[:?]{0,3}=|[:=]|%3[AD]))/gi
const SEPARATOR = /\\{0,4}["'`]?\]?\s{0,4}(?:string\s{0,4})?(?:=>|(?:\|\|)?[:?]{0,3}=|[:=]|%3[AD])/iy
/** `token: string = "x"`, `TOKEN: &str = "x"`: a type between the name and its value. */
const TYPED = /[ \t]{0,4}&?[A-Za-z][\w.<>[\]?|' ]{0,30}=[ \t]{0,4}(?=\\{0,4}["'`])/y
/** `setProperty("API_TOKEN", "x")` */
const GIVEN = /["'`]([\w.-]{3,60})["'`]\s{0,4},\s{0,4}["'`]([^\s"'`]{12,300})["'`]/g
const FLAG = /(?<![\w-])--?[A-Za-z][\w-]*(?=\s{1,4}[^\s-])/g
const ELEMENT = /<([A-Za-z][\w:.-]*)>[^<]+/g
const SPOKEN =
  /((?:token|secret|password|passwd|passphrase|passcode|(?:api|access|private)[ _-]?key|credentials?)\\{0,4}["'`]?(?:\s{1,3}(?:is|was|are|value|of|to|be|->|→))?\s{1,3}\\{0,4}["'`]?)([\w+/=.!@#$%^&*-]{6,})/gi

type Find = (text: string, name: string, nameStart: number) => Span | undefined

function eachValue(text: string, names: RegExp, find: Find, put: (name: string, value?: Span) => void): void {
  let done = 0
  for (const { 0: name, index } of occurrences(names, text)) {
    if (index < done) continue
    const value = find(text, name, index)
    if (!value) continue
    put(name, value)
    done = value.end
  }
}

function pairValue(text: string, key: string, keyStart: number): Span | undefined {
  const before = text[keyStart - 1] ?? ''
  const inQuery = before === '?' || before === '&'
  const isSure = isSecretKey(key) || (inQuery && isSecretParameter(key)) || isSecretHere(text, key, keyStart)
  if (!isSure && !isPerhapsSecretKey(key)) return undefined
  SEPARATOR.lastIndex = keyStart + key.length
  const separator = SEPARATOR.exec(text)![0]
  const from = SEPARATOR.lastIndex
  SEPARATOR.lastIndex = 0
  if (separator.endsWith('=') && text[from] === '=') return undefined // a comparison
  const value = /cookie$/i.test(key)
    ? lineOf(text, from, before)
    : /authorization$/i.test(key)
      ? wordsOf(text, from, before)
      : valueAt(text, separator.endsWith(':') ? afterType(text, from) : from, inQuery)
  if (!value) return undefined
  const words = text.slice(value.start, value.end)
  if (isCount(key, words) || (!isSure && !looksRandom(words))) return undefined
  return isPlaceholder(words.replace(SCHEME, '')) ? undefined : secretSpan(text, value)
}

/** `Bearer` and similar before the secret itself. */
const SCHEME = /^(?:bearer|basic|token|apikey|key)\s+/i

/** Names that are secret only after others: `API key: x`, `name: DB_PASSWORD, value: x`. */
function isSecretHere(text: string, key: string, keyStart: number): boolean {
  if (/^pwd$/i.test(key)) return !FOLDER.test(text.slice(keyStart + 3, keyStart + 8))
  if (/^key$/i.test(key))
    return /(?:api|access|secret|private|signing|encryption) $/i.test(
      text.slice(Math.max(0, keyStart - 12), keyStart),
    )
  return /^value$/i.test(key) && namedBefore(text, keyStart) !== undefined
}

/** The secret name before it: `name: DB_PASSWORD`, then `value: x`. */
function namedBefore(text: string, before: number): string | undefined {
  const start = text.slice(Math.max(0, before - 160), before).replace(VALUE, '')
  const name = NAMED.exec(start)?.[1]
  return name !== undefined && isSecretKey(name) ? name : undefined
}

const VALUE = /value\\{0,4}["'`]?\s{0,4}[:=]\s{0,8}\\{0,4}["'`]?$/i

function afterType(text: string, from: number): number {
  TYPED.lastIndex = from
  const end = TYPED.test(text) ? TYPED.lastIndex : from
  TYPED.lastIndex = 0
  return end
}

function trimmed(text: string, start: number, end: number): Span {
  const value = text.slice(start, end)
  return {
    start: start + value.length - value.trimStart().length,
    end: end - value.length + value.trimEnd().length,
  }
}

const FOLDER = /^\W{0,3}(?:[/~.$\\]|[A-Z]:)/i
const NAMED = /\b(?:name|key)\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?([\w.-]{1,80})\\?["']?[\s,;]{1,24}\\?["']?$/i

function flagValue(text: string, flag: string, flagStart: number): Span | undefined {
  if (!isSecretKey(flag)) return undefined
  const value = valueAt(text, flagStart + flag.length, false)
  if (!value || isCount(flag, text.slice(value.start, value.end))) return undefined
  return secretSpan(text, value)
}

function secretSpan(text: string, value: Span): Span | undefined {
  return isPlaceholder(text.slice(value.start, Math.min(value.end, value.start + 600))) ? undefined : value
}

/** The name of an environment variable is stronger evidence than that of a field. */
function isCertain(name: string, words: string): boolean {
  const value = words.replace(SCHEME, '')
  return isSecretKey(name) && looksDrawn(value) && (!mayBeDigest(value) || /^[A-Z][A-Z0-9_]*$/.test(name))
}

function kindOf(name: string): string {
  return KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'secret'
}

/** Found by name only; a shape is stronger evidence. */
export function isNamedKind(kind: string): boolean {
  return kind === 'secret' || KINDS.some(([, named]) => named === kind)
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/pass|pwd|pw$|pin$/i, 'password'],
  [/token|bearer|jwt/i, 'token'],
  [/cookie/i, 'cookie'],
  [/auth/i, 'authorization'],
  [/key$/i, 'key'],
]
