/** Which dead letters a person has dealt with: an append-only file; records never change. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { redactClipped } from '../redact/redact.ts'
import { appendText, readText } from '../spec/read-file.ts'
import { withLock } from './file-lock.ts'
import { writeDurably } from './write-durably.ts'

export interface Resolution {
  resolved_at: string
  resolved_at_ms: number
  resolution_reason: string
}

const MAX_REASON_CHARS = 512
const DEFAULT_REASON = 'operator resolved'

/** By the id of the dead letter. The first line of an id counts; a line truncated by a crash does not. */
export function readLedger(folder: string): Map<string, Resolution> {
  const found = new Map<string, Resolution>()
  for (const line of readLines(folder)) {
    const { dead_letter_id, resolved_at_ms, reason } = line
    if (typeof dead_letter_id !== 'string' || typeof resolved_at_ms !== 'number') continue
    if (found.has(dead_letter_id)) continue
    found.set(dead_letter_id, {
      resolved_at: new Date(resolved_at_ms).toISOString(),
      resolved_at_ms,
      resolution_reason: redactClipped(
        typeof reason === 'string' ? reason : DEFAULT_REASON,
        MAX_REASON_CHARS,
      ),
    })
  }
  return found
}

export function resolveInLedger(folder: string, id: string, reason: string): void {
  withLock(lockPath(folder), () => {
    if (readLedger(folder).has(id)) return
    const line = ledgerLine(id, Date.now(), redactClipped(reason.trim() || DEFAULT_REASON, MAX_REASON_CHARS))
    // The line break comes first too, in case a crash left half a line.
    appendText(ledgerPath(folder), `\n${line}\n`, { flush: true })
  })
}

/** Keeps only the resolutions of records that still exist. */
export function dropResolutions(folder: string, removed: ReadonlySet<string | undefined>): void {
  if (removed.size === 0 || !existsSync(ledgerPath(folder))) return
  withLock(lockPath(folder), () => {
    const lines = [...readLedger(folder)]
      .filter(([id]) => !removed.has(id))
      .map(([id, { resolved_at_ms, resolution_reason }]) => ledgerLine(id, resolved_at_ms, resolution_reason))
    writeDurably(ledgerPath(folder), lines.map((line) => `${line}\n`).join(''))
  })
}

function ledgerLine(dead_letter_id: string, resolved_at_ms: number, reason: string): string {
  return JSON.stringify({ dead_letter_id, resolved_at_ms, reason })
}

function readLines(folder: string): Record<string, unknown>[] {
  if (!existsSync(ledgerPath(folder))) return []
  return readText(ledgerPath(folder))
    .split('\n')
    .flatMap((line) => {
      if (!line.startsWith('{') || !line.endsWith('}')) return []
      try {
        return [JSON.parse(line) as Record<string, unknown>]
      } catch {
        return [] // half a line: its writer got no confirmation and will repeat it
      }
    })
}

function ledgerPath(folder: string): string {
  return join(folder, 'resolved-dead-letter.jsonl')
}

function lockPath(folder: string): string {
  return join(folder, '.ledger.lock')
}
