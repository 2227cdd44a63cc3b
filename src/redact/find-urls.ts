/** Logins in URLs, and what follows `Bearer` or `Basic`. */

import { occurrences } from '../fast/occurrences.ts'
import type { Secret } from './find.ts'
import { isPlaceholder, looksRandom } from './placeholders.ts'

/** `isAnnounced`: one of the words that announce a secret is in the text. */
export function findInUrls(text: string, isAnnounced: boolean, add: (found: Secret) => void): void {
  if (text.includes('://'))
    for (const { 0: scheme, index } of occurrences(SCHEME, text)) findLogin(text, index + scheme.length, add)
  if (!isAnnounced) return
  for (const { 0: all, 1: scheme, 2: value, index } of occurrences(AUTH_SCHEME, text)) {
    if (!looksLikeCredential(scheme!, value!) || isPlaceholder(value!)) continue
    const end = index + all.length
    add({ kind: `${scheme!.toLowerCase()}-login`, start: end - value!.length, end, certain: false })
  }
}

const SCHEME = /(?<![\w+.-])[A-Za-z][\w+.-]{1,30}:\/\//g
const AUTHORITY_END = /[\s/?#"'`<>\\]/g
const LOGIN_END = /[\s"'`<>\\]/g
const MAX_LOGIN_CHARS = 512

/** `user:password@`, `:password@`, `token@`; a password may contain `@` and even `/`. */
function findLogin(text: string, start: number, add: (found: Secret) => void): void {
  const authority = upTo(text, start, AUTHORITY_END)
  let at = text.lastIndexOf('@', start + authority.length - 1)
  let colon = authority.indexOf(':')
  if (at < start) {
    // No `@` before the first slash: the password may contain the slash, unless this is a port.
    if (colon < 0 || /^\d{0,5}$/.test(authority.slice(colon + 1))) return
    const more = upTo(text, start, LOGIN_END)
    const found = more.indexOf('@')
    if (found < 0) return
    at = start + found
  } else if (colon >= at - start) colon = -1
  const from = colon < 0 ? start : start + colon + 1
  const value = text.slice(from, at)
  if (isPlaceholder(value) || (colon < 0 && !(value.length >= 16 && looksRandom(value)))) return
  add({ kind: 'url-login', start: from, end: at, certain: false })
}

function upTo(text: string, start: number, ends: RegExp): string {
  const most = text.slice(start, start + MAX_LOGIN_CHARS)
  ends.lastIndex = 0
  return most.slice(0, ends.exec(most)?.index ?? most.length)
}

const AUTH_SCHEME = /(?<![A-Za-z0-9])(Bearer|Basic)(?:\s{1,4}|%20)([A-Za-z0-9._~+/=-]{6,8192})/gi

/** Not `bearer authentication` or `basic understanding`. */
function looksLikeCredential(scheme: string, value: string): boolean {
  if (scheme.toLowerCase() === 'bearer') return /\d|[a-z][A-Z]/.test(value) || value.length >= 24
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(value, 'base64').toString('latin1'))
}
