/** Text in place of a secret: `ghp_xxxx`, `<token>`, `$TOKEN`, `changeme`. */

import { isPublishedKey } from './published-keys.ts'

const WORDS =
  /^(?:change[-_]?me|change[-_]?it|example|placeholder|redacted|removed|hidden|secret|password|passwd|pass|token|none|null|nil|undefined|true|false|yes|no|string|todo|tbd|foo|bar|dummy|sample|default|required|optional|empty|xxx|\*+|\.+)$/i
const INSIDE =
  /example|EXAMPLE|placeholder|change_?me|redacted|your[-_ ]|_here\b|-here\b|insert[-_ ]|dummy|x{5}|X{5}|\*{3}|\.{3}|…|#{4}/
const REFERENCE =
  /^(?:(?:process\.env|os\.environ|import\.meta\.env|Deno\.env|Bun\.env)\b|[a-z][A-Za-z_.]*\($|\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+|\d)$|\$\{|\$\(|\{\{|<[^<>]*>$|<[a-z][a-z_-]*$|%[A-Z_][A-Z0-9_]*%$|%\(|\{[A-Za-z_]*\}$|@[A-Z_]+@$|\[[A-Za-z_ -]*\]$)/
const SPOKEN =
  /^(?:your|my|insert|enter|replace|put|some|the|an?)[-_ ][a-z_ -]*$|^[a-z_ -]*(?:example|placeholder|redacted|[-_ ]here)[a-z_ -]*$/i

/** Is the whole value a placeholder? When in doubt, no. */
export function isPlaceholder(value: string): boolean {
  const text = value.trim()
  if (text === '' || REFERENCE.test(text)) return true
  if (text.length > MAX_CHARS) return false
  return WORDS.test(text) || SPOKEN.test(text) || isFilled(text)
}

/** `xxxxxxxx`, `****-****`, `000000000000`: at most two different characters. */
function isFilled(text: string): boolean {
  return text.length >= 3 && new Set(text.replace(/[-_. ]/g, '')).size <= (text.length >= 8 ? 2 : 1)
}

/**
 * Does something that looks like a key look made up: filled, counted through, called an example, or is it one that
 * documentation shows? When in doubt, yes.
 */
export function isMade(text: string): boolean {
  return INSIDE.test(text) || hasRun(text) || isPublishedKey(text)
}

const MAX_CHARS = 512
/** A run of this many equal or consecutive letters is no coincidence. */
const LONG_RUN = 8

/** `abcdefgh`, `aaaaaaaa`. */
function hasRun(text: string): boolean {
  let up = 1
  let same = 1
  for (let i = 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const step = code - text.charCodeAt(i - 1)
    up = step === 1 && code > DIGIT_9 ? up + 1 : 1
    same = step === 0 && code > DIGIT_9 ? same + 1 : 1
    if (up >= LONG_RUN || same >= LONG_RUN) return true
  }
  return false
}

const DIGIT_9 = 0x39

/** Shannon entropy in bits per character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/** Letters and digits, or more kinds of characters than a word has. */
export function looksRandom(text: string): boolean {
  if (text.length < 8 || isPlaceholder(text)) return false
  const digits = text.replace(/\D/g, '').length
  if (digits === 0) return text.length >= 20 && /[a-z][A-Z]|[A-Z][a-z]/.test(text) && entropy(text) > 3.5
  return /[A-Za-z]/.test(text) ? entropy(text) > 2.5 : text.length >= 12
}

const KEY_WORD = /^[\w+/=~-]{20,200}$/
const HEX = /^[0-9a-f]+$/i
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const DIGIT_BESIDE_LETTER = /\d(?=[A-Za-z])|[A-Za-z](?=\d)/g

/**
 * Looks randomly generated: long, with digits among its letters. Not names of functions, paths, UUIDs and sentences.
 */
export function looksDrawn(text: string): boolean {
  if (!KEY_WORD.test(text) || UUID.test(text) || isMade(text)) return false
  const changes = text.match(DIGIT_BESIDE_LETTER)?.length ?? 0
  return changes >= text.length / 8 && entropy(text) > (HEX.test(text) ? 3 : 3.5)
}

/** At most as many hexadecimal digits as MD5 has: as likely a digest as a key. */
export function mayBeDigest(text: string): boolean {
  return HEX.test(text.slice(0, 32)) && text.length < 40
}
