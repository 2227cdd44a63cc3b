/** Who may do what. Tokens are files that only their owner can read, created when the daemon first starts. */

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { CrosshookError } from '../spec/errors.ts'
import { readText } from '../spec/read-file.ts'

/**
 * `events`: fire events and read totals. `admin`: everything that a program of this user may do. `person`: also what
 * changes guards; no token gives it, only signing in on the page.
 */
export type Scope = 'events' | 'admin' | 'person'

const EVENTS_FILE = 'daemon.events-token'

export interface Tokens {
  adminFile: string
  eventsFile: string
  /** The token that may only fire events. */
  events: string
  /** The scope of an `Authorization` header; undefined when it gives none. */
  scopeOf(authorization: string | undefined): Scope | undefined
}

export function openTokens(stateDir: string): Tokens {
  const adminFile = join(stateDir, 'daemon.token')
  const eventsFile = join(stateDir, EVENTS_FILE)
  const admin = Buffer.from(readOrMake(adminFile))
  const text = readOrMake(eventsFile)
  const events = Buffer.from(text)
  return {
    adminFile,
    eventsFile,
    events: text,
    scopeOf(authorization) {
      if (authorization === undefined || !BEARER.test(authorization)) return undefined
      const given = Buffer.from(authorization.slice(7).trim())
      // Always compare both, so that the time reveals nothing.
      const isAdmin = isSame(given, admin)
      const isEvents = isSame(given, events)
      return isAdmin ? 'admin' : isEvents ? 'events' : undefined
    },
  }
}

/** The token that may only fire events; empty when there is none yet. */
export function eventsToken(stateDir: string): string {
  const file = join(stateDir, EVENTS_FILE)
  return existsSync(file) ? readText(file).trim() : ''
}

/** Each includes those before it. */
const SCOPES: readonly Scope[] = ['events', 'admin', 'person']

export function allows(scope: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(scope) >= SCOPES.indexOf(needed)
}

const BEARER = /^bearer /i
const MIN_TOKEN_LENGTH = 32

function isSame(given: Buffer, token: Buffer): boolean {
  // The length of a token is not secret.
  return given.length === token.length && timingSafeEqual(given, token)
}

function readOrMake(file: string): string {
  try {
    const handle = openSync(file, 'wx', 0o600)
    try {
      writeSync(handle, `${randomBytes(32).toString('base64url')}\n`)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
  const token = readText(file).trim()
  if (token.length >= MIN_TOKEN_LENGTH) return token
  throw new CrosshookError(
    'refused',
    `${file} holds no usable token: it is shorter than ${MIN_TOKEN_LENGTH} characters`,
    {
      fix: 'Remove the file; the next start makes a new one.',
    },
  )
}
