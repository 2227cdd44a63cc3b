/**
 * People who have signed in on the page. A link that works once becomes a cookie; the cookie names no account, it proves
 * that this state folder's key signed it, so that a page stays signed in while the host is started anew.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { isMac, mac, stateKey } from '../config/state-key.ts'
import { writeDurably } from '../journal/write-durably.ts'
import { readText } from '../spec/read-file.ts'

/** Times in milliseconds. */
const LINK_LIFE = 2 * 60_000
/** A session nobody uses ends after this. */
const IDLE = 60 * 60_000
/** However much it is used. */
const LONGEST = 24 * 60 * 60_000
/** A cookie older than this is replaced by a fresh one at the next request. */
const RENEW_AFTER = 5 * 60_000
/** Links that wait to be used, at most: the oldest is forgotten. */
const MOST_LINKS = 16

export const CSRF_HEADER = 'x-crosshook-csrf'

export interface Session {
  /** What a page sends along with each change, in CSRF_HEADER. */
  csrf: string
  /** When it ends unless it is used. */
  ends: number
  /** The `Set-Cookie` that prolongs it, when it is time for that. */
  renewal?: string
}

export interface People {
  /** A code that signs in whoever brings it first, within two minutes. */
  invite(): { code: string; ends: number }
  /** The `Set-Cookie` for whoever brings a good code; undefined otherwise. */
  enter(code: string): string | undefined
  sessionOf(request: IncomingMessage): Session | undefined
  /** Ends every session. Comes back with the `Set-Cookie` that takes the cookie away. */
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
    return cookie(`${text}.${mac(key(), 'page', text)}`, IDLE)
  }
  return {
    invite() {
      const code = randomBytes(24).toString('base64url')
      const ends = now() + LINK_LIFE
      links.set(hashed(code), ends)
      if (links.size > MOST_LINKS) links.delete(links.keys().next().value!)
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
      const ends = Math.min(seen + IDLE, begun + LONGEST)
      if (ends < now() || begun <= signedOutAt) return undefined
      return {
        csrf: mac(key(), 'page', `csrf ${nonce}`),
        ends,
        ...(now() - seen > RENEW_AFTER ? { renewal: issue(begun, nonce) } : {}),
      }
    },
    signOut() {
      signedOutAt = now()
      writeDurably(file, `${signedOutAt}\n`)
      return cookie('', 0)
    },
  }
}

/** Sent by `crosshook ui`, which asks for a person first: an agent can reach the socket, but reads no key. */
export const LINK_PROOF_HEADER = 'x-crosshook-link-proof'

export function linkProof(stateDir: string, now = Date.now()): string {
  const time = now.toString(36)
  return `${time}.${mac(stateKey(stateDir), 'page', `link ${time}`)}`
}

export function isLinkProof(stateDir: string, given: unknown, now = Date.now()): boolean {
  const [time = '', proof] = typeof given === 'string' ? given.split('.') : []
  const isRecent = Math.abs(now - Number.parseInt(time, 36)) < LINK_LIFE
  return isRecent && isMac(proof, stateKey(stateDir), 'page', `link ${time}`)
}

export function isCsrf({ csrf }: Session, given: string | string[] | undefined): boolean {
  const [right, other] = [Buffer.from(csrf), Buffer.from(typeof given === 'string' ? given : '')]
  return right.length === other.length && timingSafeEqual(right, other)
}

/** Cookies do not know ports: hosts of several state folders on one machine must not overwrite each other's. */
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
    throw error // nobody can tell who has signed out
  }
}
