/** A record as one line of an intake file: parsed, rebuilt from its columns, and counted without parsing. */

import type { Counts, JournalEntry, Summary } from '../port.ts'
import { addUp } from './intake.ts'
import { eachLine } from './segments.ts'

/** A waiting record. */
export interface Line {
  counts: Partial<Counts>
  id: string
  at: number
  prev?: string
  entry: JournalEntry
}

/** Rebuilds a record's intake line from its columns. */
export function lineOf(row: { counts: string; id: string; at: number; prev: string; body: string }): string {
  const link = row.prev === '' ? '' : `,"prev":"${row.prev}"`
  return `{"counts":${row.counts},"id":"${row.id}","at":${row.at}${link},"entry":${row.body}}`
}

/** The last field of a line; nothing before it can contain these characters. */
const ENTRY = '"entry":'
/** The first field. */
const COUNTS = '{"counts":'
const BRACE = 0x7d

/** The texts of entry and counts, as they are in the line. */
export function partsOf(text: string): { body: string; counts: string } {
  return {
    body: text.slice(text.indexOf(ENTRY) + ENTRY.length, -1),
    counts: text.slice(COUNTS.length, text.indexOf(',"id":')),
  }
}

/** Many records have the same counts: each kind is parsed once. */
export function summarized(lines: Buffer): Summary {
  const kinds = new Map<string, number>()
  eachLine(lines, (start, end) => {
    const last = lines.indexOf(BRACE, start) + 1
    const kind = last > 0 && last <= end ? lines.toString('latin1', start, last) : ''
    if (kind.startsWith(COUNTS)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  })
  const sum: Summary = { records: 0, counts: {} }
  for (const [kind, times] of kinds)
    addUp(sum, { records: 1, counts: countsIn(kind.slice(COUNTS.length)) }, times)
  return sum
}

function countsIn(text: string): Partial<Counts> {
  try {
    return JSON.parse(text) as Partial<Counts>
  } catch {
    return {} // a truncated record, which does not count
  }
}

/** Undefined when it is not a record: it must not block the others. The first line of a file has no entry. */
export function parseLine(text: string): Line | { entry?: undefined } | undefined {
  try {
    const line = JSON.parse(text) as Partial<Line> & { segment?: unknown }
    if (typeof line.segment === 'string') return {}
    const { id, at, counts, entry } = line
    const texts = [id, entry?.event, entry?.session_id, entry?.decision]
    const isRecord = texts.every((each) => typeof each === 'string') && Number.isSafeInteger(at)
    const hasLists = typeof counts === 'object' && counts !== null && Array.isArray(entry?.hooks)
    return isRecord && hasLists && entry.hooks.every(isHook) ? (line as Line) : undefined
  } catch {
    return undefined
  }
}

function isHook(hook: unknown): boolean {
  return typeof hook === 'object' && hook !== null && typeof (hook as { name?: unknown }).name === 'string'
}
