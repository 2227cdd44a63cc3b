/** The file of trusted project hooks. Each record carries a MAC made with the state folder's key. */

import { dirname } from 'node:path'
import { canonicalJson } from '../fast/digest.ts'
import { within } from '../fast/within.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { readText } from '../spec/read-file.ts'
import { fingerprint, isRacy } from './fingerprint.ts'
import type { Outside } from './outside.ts'
import { isMac, keyFile, mac, readStateKey, stateKey } from './state-key.ts'
import { writeWhole } from './write-whole.ts'

export interface TrustRecord {
  name: string
  /** Digest of every byte of the hook's folder, or of the file that defines it. */
  digest: string
  at: string
  /** Files outside the folder that it runs. */
  outside?: Outside[]
  /** Bare names of interpreters → the programs they resolved to. */
  programs?: Record<string, string>
  /** Also trusted for the same bytes at this place in other clones and worktrees of this repository. */
  everywhere?: { repository: string; place: string }
}

export interface Records {
  /** Empty when the file is not authentic: then no record counts. */
  proven: ReadonlyMap<string, TrustRecord>
  /** Places with a record that is not authentic. */
  unproven: ReadonlySet<string>
  /** The reason, as a sentence with its fix. */
  wrong: string | undefined
}

const VERSION = 2

export interface TrustFile {
  readonly file: string
  read(): Records
  write(records: ReadonlyMap<string, TrustRecord>): void
}

export function openTrustFile(stateDir: string): TrustFile {
  const file = within(stateDir, 'trust.json')
  let known: { mark: string; isRacy: boolean; records: Records } | undefined
  return {
    file,
    read() {
      const now = Date.now()
      const mark = `${fingerprint(file)} ${fingerprint(keyFile(stateDir))}`
      if (known?.mark !== mark || known.isRacy)
        known = {
          mark,
          isRacy: isRacy({ [file]: fingerprint(file) }, now),
          records: readRecords(file, stateDir),
        }
      return known.records
    },
    write(records) {
      known = undefined
      try {
        const key = stateKey(stateDir)
        const hooks = Object.fromEntries(
          [...records].map(([place, record]) => [
            place,
            { ...record, mac: mac(key, 'trust', told(place, record)) },
          ]),
        )
        writeWhole(file, `${JSON.stringify({ version: VERSION, hooks }, null, 2)}\n`)
      } catch (error) {
        if (error instanceof CrosshookError) throw error
        throw new CrosshookError('store', `Your trust decision could not be stored: ${messageOf(error)}.`, {
          fix: 'Nothing was changed. Make room on the disk of the state folder, or let crosshook write there; then try again.',
          cause: error,
        })
      }
    },
  }
}

/** The text that the MAC covers: the place and the whole record. */
function told(place: string, record: TrustRecord): string {
  return canonicalJson([place, record])
}

function readRecords(file: string, stateDir: string): Records {
  const stored = storedIn(file)
  const places = Object.keys(stored.hooks)
  if (places.length === 0) return { proven: new Map(), unproven: new Set(), wrong: undefined }
  const nothing = (wrong: string): Records => ({ proven: new Map(), unproven: new Set(places), wrong })
  if (stored.version !== VERSION)
    return nothing(`${file} was written by an older crosshook, which did not sign it: nothing in it counts.`)
  let key: Buffer | undefined
  try {
    key = readStateKey(stateDir)
  } catch (error) {
    return nothing(`${messageOf(error)} Until then nothing in ${file} counts.`)
  }
  if (!key) return nothing(`The key ${keyFile(stateDir)} is gone, so that nothing in ${file} can be proven.`)
  const proven = new Map<string, TrustRecord>()
  for (const place of places) {
    const { mac: proof, ...record } = stored.hooks[place]!
    if (!isMac(proof, key, 'trust', told(place, record)))
      return nothing(
        `${file} was changed by something other than crosshook (${place}): nothing in it counts.`,
      )
    proven.set(place, record)
  }
  return { proven, unproven: new Set(), wrong: undefined }
}

interface Stored {
  version?: unknown
  hooks: Record<string, TrustRecord & { mac?: unknown }>
}

function storedIn(file: string): Stored {
  let text: string
  try {
    text = readText(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { hooks: {} }
    throw unreadable(file, error)
  }
  try {
    const { version, hooks } = JSON.parse(text) as Partial<Stored>
    const isTable = typeof hooks === 'object' && hooks !== null && !Array.isArray(hooks)
    if (!isTable || Object.values(hooks).some((record) => typeof record !== 'object' || record === null))
      throw new Error('it has no table of hooks')
    return { version, hooks }
  } catch (error) {
    throw unreadable(file, error)
  }
}

function unreadable(file: string, error: unknown): CrosshookError {
  return new CrosshookError('store', `${file} cannot be read: ${messageOf(error)}`, {
    fix: `Repair or remove ${file} in ${dirname(file)}; hooks must then be trusted again.`,
    cause: error,
  })
}
