/**
 * Calls from the journal: what hooks were asked and what they decided. Only one field of an input is stored, redacted.
 */

import { plainDigest } from '../fast/digest.ts'
import type { Journal, JournalRecord } from '../journal/port.ts'
import { detailFields, detailOf } from '../pipeline/record.ts'
import { redactClipped } from '../redact/redact.ts'
import type { HookEvent } from '../spec/event.ts'
import { TOOLS } from '../spec/tool.ts'
import type { Became, PastCall } from './call.ts'
import { newestFirst } from './pages.ts'

/** The only event that transcripts contain. */
const EVENT = 'before_tool'
/** Of a text in the journal, in characters. */
const MAX_DETAIL_CHARS = 4096

function recordsOf(journal: Journal, since: Date | undefined): Generator<JournalRecord> {
  return newestFirst(journal, { event: EVENT, ...(since ? { since } : {}) })
}

/** The newest records of one event as calls, newest first: for callers without time to read transcripts. */
export function newestCalls(journal: Journal, event: string, most: number): PastCall[] {
  return journal
    .list({ event, limit: most })
    .reverse()
    .map((record) => callOf(record))
}

export interface JournalIndex {
  /** The journal's record of this call; each record is used for one call. */
  take(event: HookEvent): Became | undefined
  /** Calls that no transcript has. */
  rest(): Iterable<PastCall>
  /** Sessions in which hooks were asked. */
  has(session: string): boolean
}

export function indexJournal(
  journal: Journal,
  { since, agents }: { since?: Date | undefined; agents?: readonly string[] | undefined },
): JournalIndex {
  const waiting = new Map<string, { seq: number; became: Became }[]>()
  /** Records of calls whose input a hook changed, by session and tool. */
  const rewritten = new Map<string, JournalRecord[]>()
  const sessions = new Set<string>()
  const taken = new Set<number>()
  const isWanted = ({ agent }: JournalRecord) => !agents || (agent !== undefined && agents.includes(agent))
  for (const record of recordsOf(journal, since)) {
    if (!isWanted(record)) continue
    sessions.add(record.session_id)
    const key = keyOf(record.session_id, record.tool_name, record.input_digest ?? record.detail)
    const entry = { seq: record.seq, became: becameOf(record) }
    const known = waiting.get(key)
    if (known) known.push(entry)
    else waiting.set(key, [entry])
    if (!record.hooks.some(({ rewrote, confines }) => rewrote || confines)) continue
    const place = keyOf(record.session_id, record.tool_name, undefined)
    rewritten.set(place, [record, ...(rewritten.get(place) ?? [])])
  }

  /** Some agents write down the input as rewritten by a hook: with the journal's field it is the original again. */
  function takeRewritten(event: HookEvent): Became | undefined {
    const records = rewritten.get(keyOf(event.session_id, event.tool_name, undefined))
    for (const [at, record] of records?.entries() ?? []) {
      const before = restored(event, record)
      if (!before) continue
      records!.splice(at, 1)
      taken.add(record.seq)
      event.tool_input = before
      return becameOf(record)
    }
    return undefined
  }

  return {
    take(event) {
      const detail = detailOf(event)
      const tried = [
        plainDigest(event.tool_input ?? {}),
        detail === undefined ? undefined : redactClipped(detail, MAX_DETAIL_CHARS),
      ]
      for (const what of tried) {
        // Records are read newest first, so the oldest of equal calls is the last.
        const found = waiting.get(keyOf(event.session_id, event.tool_name, what))?.pop()
        if (!found) continue
        taken.add(found.seq)
        return found.became
      }
      return takeRewritten(event)
    },
    *rest() {
      for (const record of recordsOf(journal, since))
        if (!taken.has(record.seq) && isWanted(record)) yield callOf(record)
    },
    has: (session) => sessions.has(session),
  }
}

function restored({ tool_input }: HookEvent, { detail, input_digest }: JournalRecord) {
  if (detail === undefined || input_digest === undefined) return undefined
  const field = detailFields.find((name) => Object.hasOwn(tool_input ?? {}, name))
  const before = field === undefined ? undefined : { ...(tool_input as object), [field]: detail }
  return before && plainDigest(before) === input_digest ? before : undefined
}

function keyOf(session: string, tool: unknown, what: string | undefined): string {
  return `${session}\0${String(tool ?? '')}\0${what ?? ''}`
}

function becameOf({ decision, reason, hooks }: JournalRecord): Became {
  const hook = hooks.find(({ status, asked, error }) => status === 'blocked' || asked || error)?.name
  return {
    decision,
    isJournaled: true,
    ...(hook === undefined || decision === 'allow' ? {} : { hook }),
    ...(reason === null ? {} : { reason }),
  }
}

/** The call described by a record, as far as it is known. */
export function callOf(record: JournalRecord): PastCall {
  const { event, at, session_id, work_dir, agent, tool_name = '', detail } = record
  const { input, isWhole } = inputOf(record)
  return {
    event: {
      event_type: event,
      timestamp: at,
      session_id,
      work_dir,
      context: {},
      ...(agent === undefined ? {} : { agent }),
      tool_name,
      tool_input: input,
    },
    source: 'journal',
    became: becameOf(record),
    lacks: isWhole ? [] : ['the journal keeps one field of an input, without secrets'],
    ...(detail === undefined && !isWhole ? { isBare: true as const } : {}),
  }
}

/** The input's digest tells whether the one stored field is all of it. */
function inputOf({ tool_name = '', detail, input_digest }: JournalRecord): {
  input: Record<string, unknown>
  isWhole: boolean
} {
  if (detail === undefined) return { input: {}, isWhole: plainDigest({}) === input_digest }
  const own: readonly string[] = Object.hasOwn(TOOLS, tool_name)
    ? TOOLS[tool_name as keyof typeof TOOLS].fields
    : []
  const fields = [...new Set([...own, ...detailFields])]
  const whole = fields.find((field) => plainDigest({ [field]: detail }) === input_digest)
  const likely = whole ?? detailFields.find((field) => own.includes(field)) ?? fields[0]!
  return { input: { [likely]: detail }, isWhole: whole !== undefined }
}
