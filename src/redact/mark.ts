/** What replaces a secret: `[REDACTED:github-pat:3f9a1c]`. Equal secrets have equal marks on one machine. */

import { sha256Hex } from '../fast/digest.ts'

/** A whole mark, including the form before 0.2. */
export const MARK = /^\[REDACTED(?::[a-z0-9-]{1,40}:[0-9a-f]{6})?\]$/
/** All marks in a text. */
export const MARKS = /\[REDACTED(?::[a-z0-9-]{1,40}:[0-9a-f]{6})?\]/g

/** When there is no digest, as for a value that is not text. */
export const REDACTED = '[REDACTED]'

/** The digest is keyed: without the key, the secret cannot be found by trying. */
export function markOf(kind: string, secret: string): string {
  let digits = recent.get(secret)
  if (digits === undefined) {
    key ??= keyOrRandom()
    digits = sha256Hex(`${key}\n${secret}`).slice(0, 6)
    if (recent.size >= MAX_RECENT) recent.clear()
    recent.set(secret, digits)
  }
  return `[REDACTED:${kind}:${digits}]`
}

/** The same secret often occurs repeatedly in one text. */
const recent = new Map<string, string>()
const MAX_RECENT = 64

let key: string | undefined
let readKey: () => string = randomKey

function randomKey(): string {
  return process.getBuiltinModule('node:crypto').randomBytes(32).toString('hex')
}

/** An unreadable key only prevents comparison with other processes, not redaction. */
function keyOrRandom(): string {
  try {
    return readKey()
  } catch {
    return randomKey()
  }
}

/** Sets the source of the machine's key, read when the first secret is found. Before that: a key of this process. */
export function useMarkKey(read: () => string): void {
  readKey = read
  key = undefined
  recent.clear()
}
