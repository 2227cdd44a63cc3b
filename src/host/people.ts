/**
 * People who are signed in on the page. A one-time link is exchanged for a cookie. The cookie names no account: it
 * proves that this state folder's key signed it, so a page stays signed in when the host restarts.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { isMac, mac, stateKey } from '../config/state-key.ts'
import { writeDurably } from '../journal/write-durably.ts'
import { readText } from '../spec/read-file.ts'

const LINK_LIFE_MS = 2 * 60_000
/** An unused session ends after this time. */
const IDLE_MS = 60 * 60_000
/** Every session ends after this time. */
const SESSION_LIFE_MS = 24 * 60 * 60_000
/** An older cookie is replaced at the next request. */
const RENEW_AFTER_MS = 5 * 60_000
/** Most unused links; the oldest is dropped. */
const MAX_LINKS = 16

export const CSRF_HEADER = 'x-crosshook-csrf'

export interface Session {
  /** Sent by the page with each change, in CSRF_HEADER. */
  csrf: string
  /** When it ends if it is not used. */
  ends: number
  /** The `Set-Cookie` header that prolongs it, when it is due. */
  renewal?: string
}

export interface People {
  /** A code that signs in its first user, within two minutes. */
  invite(): { code: string; ends: number }
  /** The `Set-Cookie` header for a valid code; otherwise undefined. */
  enter(code: string): string | undefined
  sessionOf(request: IncomingMessage): Session | undefined
  /** Ends every session. Returns the `Set-Cookie` header that removes the cookie. */
  signOut(): string
}

export function createPeople(stateDir: string, options: { secure: boolean; now?: () => number }): People {
  const { secure, now = Date.now } = options
  const name = cookieName(stateDir)
  const links = new Map<string, number>()
  const file = join(stateDir, 'page-signed-out')
  let signedOutAt: number | undefined
  let known: Buffer | undefined
  const key = () => (known ??= stateKey(stateDir))
  const cookie = (value: string, age: number) =>
    `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age / 1000}${secure ? '; Secure' : ''}`
  const issue = (begun: number, nonce: string) => {
    const text = `${begun.toString(36)}.${now().toString(36)}.${nonce}`
    return cookie(`${text}.${mac(key(), 'page', text)}`, IDLE_MS)
  }
  return {
    invite() {
      const code = randomBytes(24).toString('base64url')
      const ends = now() + LINK_LIFE_MS
      links.set(hashed(code), ends)
      if (links.size > MAX_LINKS) links.delete(links.keys().next().value!)
      return { code, ends }
    },
    enter(code) {
      const id = hashed(code)
      const ends = links.get(id)
      links.delete(id)
      if (ends === undefined || ends < now()) return undefined
      return issue(now(), randomBytes(12).toString('base64url'))
    },
    sessionOf({ headers }) {
      const given = cookieIn(headers.cookie, name)
      if (given === undefined) return undefined
      const at = given.lastIndexOf('.')
      const text = given.slice(0, at)
      if (!isMac(given.slice(at + 1), key(), 'page', text)) return undefined
      const [begun36 = '', seen36 = '', nonce = ''] = text.split('.')
      const begun = Number.parseInt(begun36, 36)
      const seen = Number.parseInt(seen36, 36)
      signedOutAt ??= readTime(file)
      const ends = Math.min(seen + IDLE_MS, begun + SESSION_LIFE_MS)
      if (ends < now() || begun <= signedOutAt) return undefined
      return {
        csrf: mac(key(), 'page', `csrf ${nonce}`),
        ends,
        ...(now() - seen > RENEW_AFTER_MS ? { renewal: issue(begun, nonce) } : {}),
      }
    },
    signOut() {
      signedOutAt = now()
      writeDurably(file, `${signedOutAt}\n`)
      return cookie('', 0)
    },
  }
}

/** Sent by `crosshook ui`, which requires a person: an agent can reach the socket but cannot read the key. */
export const LINK_PROOF_HEADER = 'x-crosshook-link-proof'

export function linkProof(stateDir: string, now = Date.now()): string {
  const time = now.toString(36)
  return `${time}.${mac(stateKey(stateDir), 'page', `link ${time}`)}`
}

export function isLinkProof(stateDir: string, given: unknown, now = Date.now()): boolean {
  const [time = '', proof] = typeof given === 'string' ? given.split('.') : []
  const isRecent = Math.abs(now - Number.parseInt(time, 36)) < LINK_LIFE_MS
  return isRecent && isMac(proof, stateKey(stateDir), 'page', `link ${time}`)
}

export function isCsrf({ csrf }: Session, given: string | string[] | undefined): boolean {
  const [right, other] = [Buffer.from(csrf), Buffer.from(typeof given === 'string' ? given : '')]
  return right.length === other.length && timingSafeEqual(right, other)
}

/** Cookies ignore ports, so hosts of several state folders on one machine need different names. */
export function cookieName(stateDir: string): string {
  return `crosshook_${hashed(stateDir).slice(0, 8)}`
}

function hashed(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function cookieIn(header: string | undefined, name: string): string | undefined {
  return header
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
}

function readTime(file: string): number {
  try {
    return Number.parseInt(readText(file), 10) || 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error // otherwise it is unknown who has signed out
  }
}
