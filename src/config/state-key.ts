/**
 * The key of a state folder: 32 random bytes that only its owner can read. Files of crosshook that decide something
 * (compiled plans, trust records) carry a MAC made with it, and the engine uses it to prove its identity.
 */

import { linkSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { sha256 } from '../fast/sha256.ts'
import { within } from '../fast/within.ts'
import { readPrivate } from '../sign/private-file.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { makeFolder } from './make-folder.ts'

export const KEY_BYTES = 32
/** In hexadecimal digits. */
export const MAC_LENGTH = 64

/** A MAC for one purpose is not valid for another. */
export type Purpose =
  | 'plan'
  | 'trust'
  | 'session'
  | 'engine'
  | 'journal'
  | 'mark'
  | 'background'
  | 'ask'
  | 'keys'
  | 'packs'
  | 'page'

export function keyFile(stateDir: string): string {
  return within(stateDir, 'state.key')
}

/** Undefined when there is none yet. Throws when there is one that must not be used. */
export function readStateKey(stateDir: string): Buffer | undefined {
  const file = keyFile(stateDir)
  return readPrivate(file, unusable, (descriptor) => {
    const bytes = Buffer.alloc(KEY_BYTES + 1)
    const length = readSync(descriptor, bytes, 0, bytes.length, 0)
    if (length !== KEY_BYTES) throw unusable(file, `it is damaged: a key has ${KEY_BYTES} bytes`)
    return bytes.subarray(0, KEY_BYTES)
  })
}

/** Created at the first use. Processes that start at the same time all get the same key. */
export function stateKey(stateDir: string): Buffer {
  const known = readStateKey(stateDir)
  if (known) return known
  create(stateDir)
  const made = readStateKey(stateDir)
  if (!made) throw unusable(keyFile(stateDir), 'it disappeared just after it was created')
  return made
}

/** HMAC-SHA-256 of the purpose, a zero byte and the data, in hexadecimal. */
export function mac(key: Uint8Array, purpose: Purpose, data: string | Uint8Array): string {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  const inner = hash(Buffer.concat([pad(key, 0x36), Buffer.from(`${purpose}\0`), bytes]))
  return hash(Buffer.concat([pad(key, 0x5c), Buffer.from(inner, 'hex')]))
}

/** Above this size loading `node:crypto` is faster than our own code in a new process. */
const WORTH_LOADING_BYTES = 64 * 1024

function hash(bytes: Uint8Array): string {
  if (bytes.length < WORTH_LOADING_BYTES) return sha256(bytes)
  return process.getBuiltinModule('node:crypto').hash('sha256', bytes, 'hex')
}

export function isMac(given: unknown, key: Uint8Array, purpose: Purpose, data: string | Uint8Array): boolean {
  return isEqual(given, mac(key, purpose, data))
}

/** Constant-time comparison. */
export function isEqual(given: unknown, right: string): boolean {
  if (typeof given !== 'string' || given.length !== right.length) return false
  let difference = 0
  for (let i = 0; i < right.length; i++) difference |= given.charCodeAt(i) ^ right.charCodeAt(i)
  return difference === 0
}

/** The file appears under its name only when complete, and never replaces another process's key. */
function create(stateDir: string): void {
  const file = keyFile(stateDir)
  const { randomBytes } = process.getBuiltinModule('node:crypto')
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`
  try {
    makeFolder(stateDir)
    writeFileSync(temporary, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx', flush: true })
    place(temporary, file)
  } catch (error) {
    throw new CrosshookError('store', `The key of the state folder could not be made: ${messageOf(error)}.`, {
      fix: `Make room on the disk of ${stateDir}, or let crosshook write there.`,
      cause: error,
    })
  } finally {
    rmSync(temporary, { force: true })
  }
}

function place(temporary: string, file: string): void {
  try {
    linkSync(temporary, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    // A file system without hard links: two first processes may each create a key. The later one wins, and what the
    // other
    // signed is made again.
    renameSync(temporary, file)
  }
}

/** Pads the key to SHA-256's block size of 64 bytes. */
function pad(key: Uint8Array, byte: number): Buffer {
  const block = Buffer.alloc(64, byte)
  for (let i = 0; i < key.length; i++) block[i] = key[i]! ^ byte
  return block
}

function unusable(file: string, why: string, cause?: unknown): CrosshookError {
  return new CrosshookError('store', `The key ${file} cannot be used: ${why}.`, {
    fix: `Give it back to its owner with mode 600 (chmod 600 ${file}), or remove it; project hooks must then be trusted again.`,
    cause,
  })
}
