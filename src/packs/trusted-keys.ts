/** Keys of others that a person trusts or has revoked. Records are authenticated by the state folder's key. */

import { join } from 'node:path'
import { isMac, mac, stateKey } from '../config/state-key.ts'
import { writeWhole } from '../config/write-whole.ts'
import { canonicalJson } from '../fast/digest.ts'
import { keyFolder } from '../sign/key-files.ts'
import { parseSigner, type Signer } from '../sign/signer.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { readText } from '../spec/read-file.ts'

export interface KeyRecord {
  signer: Signer
  /** `seen`: it signs an installed pack; nobody has said more about it. */
  state: 'trusted' | 'seen' | 'revoked'
  at: string
  /** Whose it is, as the person calls them. */
  name?: string
  /** Packs first seen with this key: the pin of trust on first use. */
  pins?: string[]
  /** Why it was revoked, or which key it replaces. */
  note?: string
}

export interface KeyRing {
  readonly file: string
  all(): KeyRecord[]
  of(signer: Signer): KeyRecord | undefined
  /** The key that a pack was first signed with. */
  pinned(pack: string): KeyRecord | undefined
  put(record: Omit<KeyRecord, 'at'>): void
  /** From now on only this key may sign the pack. */
  pin(pack: string, signer: Signer, note?: string): void
  unpin(pack: string): void
}

export function openKeyRing(stateDir: string): KeyRing {
  const file = join(keyFolder(stateDir), 'others.json')
  const read = () => readRecords(file, stateDir)
  const write = (records: readonly KeyRecord[]) => writeRecords(file, stateDir, records)
  const others = (signer: Signer) => read().filter((record) => record.signer !== signer)
  const of = (signer: Signer) => read().find((record) => record.signer === parseSigner(signer).signer)
  const now = () => new Date().toISOString()
  const without = (records: readonly KeyRecord[], pack: string) =>
    records.map((record) =>
      record.pins?.includes(pack) ? { ...record, pins: record.pins.filter((name) => name !== pack) } : record,
    )
  return {
    file,
    all: read,
    of,
    pinned: (pack) => read().find(({ pins }) => pins?.includes(pack)),
    put(record) {
      const before = of(record.signer)
      write([...others(record.signer), { ...before, ...record, at: now() }])
    },
    pin(pack, signer, note) {
      const records = without(read(), pack)
      const before = records.find((record) => record.signer === signer)
      const known: KeyRecord = before ?? { signer, state: 'seen', at: now() }
      write([
        ...records.filter((record) => record.signer !== signer),
        {
          ...known,
          pins: [...(known.pins ?? []), pack].sort(),
          ...(note === undefined ? {} : { note }),
        },
      ])
    },
    unpin: (pack) =>
      write(without(read(), pack).filter(({ state, pins = [] }) => state !== 'seen' || pins.length > 0)),
  }
}

const VERSION = 1

function readRecords(file: string, stateDir: string): KeyRecord[] {
  let text: string
  try {
    text = readText(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw unusable(file, messageOf(error), error)
  }
  let found: { version?: unknown; keys?: KeyRecord[]; mac?: unknown }
  try {
    found = JSON.parse(text) as typeof found
  } catch (error) {
    throw unusable(file, 'it is not JSON', error)
  }
  if (found?.version !== VERSION || !Array.isArray(found.keys)) throw unusable(file, 'it is damaged')
  if (!isMac(found.mac, stateKey(stateDir), 'keys', canonicalJson(found.keys)))
    throw unusable(
      file,
      'somebody else than crosshook has written it, or the key of the state folder is gone',
    )
  return found.keys
}

/** The MAC covers the whole list, so a removed record is noticed, too. */
function writeRecords(file: string, stateDir: string, keys: readonly KeyRecord[]): void {
  const sorted = keys.toSorted((a, b) => (a.signer < b.signer ? -1 : 1))
  const proof = mac(stateKey(stateDir), 'keys', canonicalJson(sorted))
  writeWhole(file, `${JSON.stringify({ version: VERSION, keys: sorted, mac: proof }, null, 2)}\n`)
}

function unusable(file: string, why: string, cause?: unknown): CrosshookError {
  return new CrosshookError('store', `the list of keys ${file} cannot be used: ${why}`, {
    fix: `Restore it, or remove it: then no key is pinned, trusted or revoked any more, and each pack's key is asked about again.`,
    cause,
  })
}
