/** What crosshook wrote to which settings, with the original bytes. */

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type OverHttpEntry, overHttpFile } from '../config/over-http.ts'
import { quietFile } from '../config/quiet.ts'
import { sha256Hex } from '../fast/digest.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Place } from '../spec/installer.ts'
import { readBytes, readText } from '../spec/read-file.ts'
import type { Modes } from './privacy.ts'
import { writeBytes } from './settings-bytes.ts'

export interface LedgerRecord {
  agent: string
  level: Place['level']
  /** As the agent names it, and its real path. */
  file: string
  target: string
  /** Digests of the bytes before and after; null: no file. */
  before: string | null
  after: string
  at: string
  /** Folders created for it. */
  folders: string[]
  /** Where its URL entries call. */
  http?: OverHttpEntry
  /** Native events that could have an entry but have none, since no hook listens to them. */
  quiet?: string[]
  /** Entries for all events were requested. */
  all_events?: true
  /** Modes before the file was hidden from other users. */
  modes?: Modes
}

export interface Ledger {
  readonly file: string
  readonly records: readonly LedgerRecord[]
  find(agent: string, target: string): LedgerRecord | undefined
  /** Stores bytes that are about to be replaced. */
  keep(original: Buffer | undefined): void
  /** Records that it was done. Other parts read this: an agent in the ledger is assumed to call us. */
  add(
    record: Omit<LedgerRecord, 'at' | 'before' | 'after'>,
    original: Buffer | undefined,
    after: Buffer,
  ): void
  remove(agent: string, target: string): void
  /** The original bytes, undefined when there was no file; throws when the copy is lost. */
  original(record: LedgerRecord): Buffer | undefined
}

export function ledgerFile(state: string): string {
  return join(state, 'install', 'manifest.json')
}

/** `isPublic`: everybody may read what was written where, but not the original bytes. */
export function openLedger(state: string, isPublic = false): Ledger {
  const [folderMode, mode] = isPublic ? [0o755, 0o644] : [0o700, 0o600]
  const folder = join(state, 'install')
  const file = ledgerFile(state)
  let records = readRecords(file)
  const save = (next: LedgerRecord[]) => {
    makeFolder()
    writeBytes(file, Buffer.from(`${JSON.stringify({ version: 1, files: next }, null, 2)}\n`), mode)
    const kept = new Set(next.map(({ before }) => before))
    for (const { before } of records)
      if (before !== null && !kept.has(before)) rmSync(copyOf(before), { force: true })
    records = next
    saveOverHttp(state, next)
    saveQuiet(state, next)
  }
  const makeFolder = () => {
    try {
      mkdirSync(folder, { recursive: true, mode: folderMode })
    } catch (error) {
      throw new CrosshookError('store', `${folder} cannot be made: ${messageOf(error)}`, { cause: error })
    }
  }
  const copyOf = (digest: string) => join(folder, `${digest}.original`)
  const others = (agent: string, target: string) =>
    records.filter((each) => each.agent !== agent || each.target !== target)
  return {
    file,
    get records() {
      return records
    },
    find: (agent, target) => records.find((each) => each.agent === agent && each.target === target),
    keep(original) {
      if (original === undefined) return
      makeFolder()
      writeBytes(copyOf(digestOf(original)), original, 0o600)
    },
    add(record, original, after) {
      const before = original === undefined ? null : digestOf(original)
      save([
        ...others(record.agent, record.target),
        { ...record, before, after: digestOf(after), at: new Date().toISOString() },
      ])
    },
    remove: (agent, target) => save(others(agent, target)),
    original({ before, file: settings }) {
      if (before === null) return undefined
      const lost = (why: string) =>
        new CrosshookError('store', `the copy of ${settings} from before crosshook is lost: ${why}`)
      let bytes: Buffer
      try {
        bytes = readBytes(copyOf(before))
      } catch (error) {
        throw lost(messageOf(error))
      }
      if (digestOf(bytes) !== before) throw lost('it was changed')
      return bytes
    },
  }
}

/** The part that is read at each call, if needed. */
function saveOverHttp(state: string, records: readonly LedgerRecord[]): void {
  const origins = records.flatMap(({ agent, http }) => (http === undefined ? [] : [[agent, http]]))
  const file = overHttpFile(state)
  if (origins.length === 0) rmSync(file, { force: true })
  else writeBytes(file, Buffer.from(`${JSON.stringify(Object.fromEntries(origins))}\n`), 0o600)
}

/** For finding hooks that are never called. What one file of an agent lacks, another may have. */
function saveQuiet(state: string, records: readonly LedgerRecord[]): void {
  const byAgent = new Map<string, string[]>()
  for (const { agent, quiet } of records)
    if (quiet) byAgent.set(agent, byAgent.get(agent)?.filter((event) => quiet.includes(event)) ?? quiet)
  writeBytes(quietFile(state), Buffer.from(`${JSON.stringify(Object.fromEntries(byAgent))}\n`), 0o600)
}

export function digestOf(bytes: Buffer): string {
  return sha256Hex(bytes)
}

function readRecords(file: string): LedgerRecord[] {
  try {
    return (JSON.parse(readText(file)) as { files: LedgerRecord[] }).files
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw new CrosshookError('store', `${file} cannot be read: ${messageOf(error)}`, {
      fix: 'Move it away; `crosshook uninstall` then takes its entries out one by one.',
      cause: error,
    })
  }
}
