/** One event of the journal with everything known about it: acts, verdicts, what hooks and the agent were given. */

import { loadDialect } from '../../dialects/list.ts'
import { callOf } from '../../history/journaled.ts'
import type { Journal, JournalHook, JournalRecord } from '../../journal/port.ts'
import { redactDeep } from '../../redact/redact.ts'
import type { Act } from '../../spec/act.ts'
import { messageOf } from '../../spec/errors.ts'
import { eventRow, type HookEvent } from '../../spec/event.ts'
import type { Assembly } from '../assemble.ts'

export interface OneEvent {
  record: JournalRecord
  /** The event as hooks got it, as far as the journal has it. */
  event: HookEvent
  /** What is missing from it. */
  lacks: readonly string[]
  acts: Act[]
  /** What each current hook would be sent for this event, in its format. */
  sent: { hook: string; text?: string; problem?: string }[]
  /** Record numbers of the session's previous and next events. */
  previous: number | null
  next: number | null
  /** The same event as a command, and as a case for `cases.yaml`. */
  fire: string
  case: string
}

export async function oneEvent(runtime: Assembly, seq: number): Promise<OneEvent | undefined> {
  const journal = runtime.journal()
  const record = journal.record(seq)
  if (!record) return undefined
  const { event, lacks } = callOf(record)
  return {
    record,
    event,
    lacks,
    acts: await actsOf(event),
    sent: await sentTo(runtime, record, event),
    ...neighbours(journal, record),
    fire: fireWords(event),
    case: caseWords(event, record),
  }
}

async function actsOf(event: HookEvent): Promise<Act[]> {
  if (!eventRow(event.event_type).tool) return []
  const { loadActs } = await import('../../acts/acts.ts')
  const { tool_name, tool_input, work_dir } = event
  return loadActs()({
    tool_name: String(tool_name ?? ''),
    tool_input: (tool_input ?? {}) as Record<string, unknown>,
    work_dir,
    env: {},
  })
}

async function sentTo(runtime: Assembly, record: JournalRecord, event: HookEvent): Promise<OneEvent['sent']> {
  const { hooks } = await runtime.hookSet(record.work_dir || runtime.paths.home)
  const ran = record.hooks.filter(({ status }) => status !== 'skipped')
  return Promise.all(
    ran.map(async (report: JournalHook) => {
      const hook = hooks.find(
        ({ name, format, scope }) =>
          name === report.name && format === report.format && scope === report.scope,
      )
      if (!hook) return { hook: report.name, problem: 'This hook is not there any more.' }
      if (hook.run.type === 'outcome')
        return { hook: report.name, problem: 'It is a fixed answer: nothing is sent.' }
      try {
        const { format } = await loadDialect(hook.format)
        const input = format!.encode(event, hook, {})
        return { hook: report.name, text: redactDeep(pretty(input.text)) }
      } catch (error) {
        return { hook: report.name, problem: messageOf(error) }
      }
    }),
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Number of records searched on either side for the same session. */
const RECORDS_AROUND = 5000

function neighbours(journal: Journal, { seq, session_id }: JournalRecord) {
  if (session_id === '') return { previous: null, next: null }
  const [before] = journal.search(
    { session: session_id },
    { before: seq, limit: 1, rows: RECORDS_AROUND },
  ).records
  const after = journal
    .search(
      { session: session_id },
      { before: seq + RECORDS_AROUND, limit: RECORDS_AROUND, rows: RECORDS_AROUND - 1 },
    )
    .records.findLast((record) => record.seq > seq)
  return { previous: before?.seq ?? null, next: after?.seq ?? null }
}

function fireWords({ event_type, tool_name, tool_input, session_id, work_dir }: HookEvent): string {
  const words = ['crosshook', 'fire', event_type]
  if (typeof tool_name === 'string' && tool_name !== '') words.push('--tool', tool_name)
  if (tool_input !== undefined && tool_name) words.push('--input', JSON.stringify(tool_input))
  if (session_id) words.push('--session', session_id)
  if (work_dir) words.push('--work-dir', work_dir)
  return words.map(shellWord).join(' ')
}

function shellWord(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** JSON is YAML, so no text can break out of its quotes. */
function caseWords({ event_type, tool_name, tool_input }: HookEvent, { decision }: JournalRecord): string {
  const lines = [`- name: ${JSON.stringify(`as in the journal: ${decision}`)}`, `  event: ${event_type}`]
  if (typeof tool_name === 'string' && tool_name !== '')
    lines.push(
      `  tool_name: ${JSON.stringify(tool_name)}`,
      `  tool_input: ${JSON.stringify(tool_input ?? {})}`,
    )
  lines.push(`  expect: { decision: ${decision} }`)
  return `${lines.join('\n')}\n`
}
