/** One's own keys, each in a file that only its owner can read. */

import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { keyFromSecret, newKey, type SigningKey, secretBytes } from './keys.ts'
import { readPrivate } from './private-file.ts'

export interface OwnKey extends SigningKey {
  name: string
  file: string
  created: string
}

export const DEFAULT_KEY = 'default'
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/
/** Guards against reading secrets know this extension. */
const EXTENSION = '.key'
/** A key file has about 200. */
const MAX_BYTES = 4096

export function keyFolder(stateDir: string): string {
  return join(stateDir, 'keys')
}

/** Creates a key and writes it atomically, unless the name is taken. */
export function createKey(stateDir: string, name: string = DEFAULT_KEY): OwnKey {
  const file = keyPath(stateDir, name)
  const key = newKey()
  const created = new Date().toISOString()
  const text = JSON.stringify(
    { version: 1, name, created, public: key.public, secret: secretBytes(key).toString('base64url') },
    null,
    2,
  )
  const temporary = `${file}.${process.pid}.tmp`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    rmSync(temporary, { force: true })
    writeFileSync(temporary, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true })
    linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new CrosshookError('exists', `there is a key "${name}" already: ${file}`, {
        fix: 'Give the new one another name: crosshook key new NAME.',
      })
    throw new CrosshookError('store', `the key ${file} could not be written: ${messageOf(error)}`, {
      cause: error,
    })
  } finally {
    rmSync(temporary, { force: true })
  }
  return { ...key, name, file, created }
}

/** Undefined when there is none. Throws when there is one that must not be used. */
export function loadKey(stateDir: string, name: string = DEFAULT_KEY): OwnKey | undefined {
  const file = keyPath(stateDir, name)
  return readPrivate(file, unusable, (descriptor, { size }) => {
    if (size > MAX_BYTES) throw unusable(file, 'it is too large for a key')
    return { ...parse(readFileSync(descriptor, 'utf8'), file), name, file }
  })
}

export function loadOrCreateKey(stateDir: string, name: string = DEFAULT_KEY): OwnKey {
  const known = loadKey(stateDir, name)
  if (known) return known
  try {
    return createKey(stateDir, name)
  } catch (error) {
    // Another process was quicker: use its key.
    const made = loadKey(stateDir, name)
    if (made) return made
    throw error
  }
}

export function keyNames(stateDir: string): string[] {
  try {
    return readdirSync(keyFolder(stateDir))
      .filter((name) => name.endsWith(EXTENSION))
      .map((name) => name.slice(0, -EXTENSION.length))
      .filter((name) => NAME.test(name))
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Where the key of this name is, or would be. */
export function keyPath(stateDir: string, name: string): string {
  if (NAME.test(name)) return join(keyFolder(stateDir), `${name}${EXTENSION}`)
  throw new CrosshookError('usage', `${JSON.stringify(name)} cannot be the name of a key`, {
    fix: 'Use lower case letters, digits, dots, hyphens and underscores.',
  })
}

function parse(text: string, file: string): SigningKey & { created: string } {
  let found: { version?: unknown; created?: unknown; public?: unknown; secret?: unknown }
  try {
    found = JSON.parse(text) as typeof found
  } catch (error) {
    throw unusable(file, 'it is not JSON', error)
  }
  const { version, created, public: known, secret } = found ?? {}
  if (version !== 1 || typeof secret !== 'string' || typeof created !== 'string')
    throw unusable(file, 'it is damaged')
  const bytes = Buffer.from(secret, 'base64url')
  if (bytes.length !== 32) throw unusable(file, 'it is damaged')
  const key = keyFromSecret(bytes)
  if (key.public !== known) throw unusable(file, 'its public and secret parts do not belong together')
  return { ...key, created }
}

function unusable(file: string, why: string, cause?: unknown): CrosshookError {
  return new CrosshookError('store', `the key ${file} cannot be used: ${why}`, {
    fix: `Give it back to its owner with mode 600 (chmod 600 ${file}), or restore it from your copy.`,
    cause,
  })
}
