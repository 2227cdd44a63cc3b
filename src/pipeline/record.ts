/** Stage 8: stores what happened: the journal, the counters, and a dead letter for each hook that finally failed. */

import type { Settings } from '../config/settings.ts'
import { toResult } from '../engine/merge.ts'
import { roundedMs } from '../fast/clock.ts'
import { plainDigest } from '../fast/digest.ts'
import type { Counts, Journal, JournalEntry } from '../journal/port.ts'
import { removeSessionState } from '../journal/session-state.ts'
import type { Reply } from '../spec/dialect.ts'
import { messageOf } from '../spec/errors.ts'
import { eventRow, type HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import type { FireResult, HookReport } from '../spec/outcome.ts'
import type { Context } from './context.ts'
import { journalOptions } from './journal.ts'
import { addLetter, invocationDigest } from './record/letter.ts'
import { brokenWords } from './tell.ts'

/** Returns a promise only when a keeper stores the record. */
export function record(context: Context): Promise<void> | undefined {
  const { services, event, outcome, ran } = context
  const result = toResult(event, { outcome, reports: ran!.reports })
  context.result = result
  if (context.dryRun) return undefined
  if (services.silent || context.set!.settings.journal.enabled === false) return leave(context)
  return write(context, result)
}

/** Called when the record is stored, or needs not be. */
function leave(context: Context): undefined {
  if (eventRow(context.event.event_type).ends === 'session') forgetSession(context)
  if (context.derived === undefined) tellSilent(context)
}

function write(context: Context, result: FireResult): Promise<void> | undefined {
  const { services, event, failed, duration, door, dropped, digest, derived } = context
  const reply = isPlainAllow(context) ? undefined : context.reply
  const { keeper } = services
  const detail = detailOf(event, context.set!.settings.journal.detail)
  const recording: Recording = {
    event,
    result,
    source: door,
    failed,
    duration,
    dropped,
    digest,
    detail,
    derived,
    reply,
  }
  const journal = journalFor(context)
  if (keeper) return keeper(journal, recording).then((said) => kept(context, journal, said))
  return kept(context, journal, keep(journal, recording))
}

/** Passes the settings on when they differ from those of the previous event. */
function journalFor({ services, set }: Context): Journal {
  const journal = services.journal()
  const settings = set!.settings.journal
  if (used.get(journal) !== settings) {
    journal.use(journalOptions(settings))
    used.set(journal, settings)
  }
  return journal
}

const used = new WeakMap<Journal, Settings['journal']>()

function kept(context: Context, journal: Journal, said: readonly string[]): undefined {
  const { pending, trouble } = context.services
  for (const sentence of said) trouble(sentence)
  if (journal.isOverfull) pending(journal.takeInSoon().then((more) => more.forEach(trouble)))
  leave(context)
}

/** A plain allow: its wording need not be stored. */
function isPlainAllow({ possible }: Context): boolean {
  for (const field in possible) if (field !== 'decision' || possible.decision !== 'allow') return false
  return true
}

function forgetSession({ services, event }: Context): void {
  try {
    removeSessionState(services.memory, event.session_id)
  } catch (error) {
    services.trouble(`what hooks remembered of the session could not be removed: ${messageOf(error)}`)
  }
}

/** A hook that did not run has not agreed: name each that waits for trust or does not load. */
function tellSilent({ agent, services, ran, set }: Context): void {
  if (!agent) return
  for (const { name, skipped } of ran!.reports)
    if (skipped === 'untrusted')
      services.trouble(
        `project hook "${name}" did not run: it is not trusted. Look at it, then run \`crosshook trust ${name}\`.`,
      )
  for (const problem of set!.problems) if (problem.level === 'error') services.trouble(brokenWords(problem))
}

export interface Recording {
  event: HookEvent
  result: FireResult
  /** Hooks that failed after all attempts. */
  failed: readonly Failed[]
  duration: number
  source: JournalEntry['source']
  dropped?: string[]
  /** Digest of the tool's input, if it was computed before. */
  digest?: string | undefined
  /** What the tool was about to do, including secrets: see `detailOf`. */
  detail?: string | undefined
  /** For an event that the agent does not fire: what it was derived from. */
  derived?: string | undefined
  /** The agent's reply, unless it is a plain allow. */
  reply?: Reply | undefined
}

export interface Failed {
  hook: Hook
  report: HookReport
}

/** Returns problems as sentences: they never change a decision. */
export function keep(journal: Journal, recording: Recording): string[] {
  const { event, result, failed, dropped } = recording
  const troubles: string[] = []
  const invocation = failed.length > 0 ? invocationDigest(event) : ''
  const counts: Partial<Counts> = { executions: 0 }
  let retries = 0
  for (const { status, attempts } of result.hooks) {
    if (status === 'allowed' || status === 'blocked') counts.executions!++
    if (attempts > 1) retries += attempts - 1
  }
  if (retries > 0) counts.retries = retries
  if (failed.length > 0) {
    const errors = failed.flatMap((one) => addLetter(journal, event, one, invocation) ?? [])
    troubles.push(...errors)
    counts.failures = failed.length
    counts.dead_letters = failed.length - errors.length
    counts.dead_letter_persist_failures = errors.length
  }
  const entry = entryOf(recording)
  if (failed.length > 0)
    entry.hooks = result.hooks.map((report) =>
      hasFailed(report) ? { ...report, invocation_digest: invocation } : report,
    )
  if (dropped?.length) entry.dropped = dropped
  const { error } = journal.append(entry, counts)
  if (error) troubles.push(error.message)
  troubles.push(...journal.warnings())
  return troubles
}

function entryOf({
  event,
  result,
  duration,
  source,
  digest,
  detail,
  derived,
  reply,
}: Recording): JournalEntry {
  const { event_type, agent, session_id, work_dir, tool_name } = event
  const { decision, reason, stop, hooks } = result
  const subject = subjectOf(event)
  const input = hooks.length > 0 ? (digest ?? inputDigest(event)) : undefined
  const entry: JournalEntry = {
    event: event_type,
    session_id,
    work_dir,
    decision,
    reason,
    stop,
    duration_ms: roundedMs(duration),
    source,
    hooks,
  }
  if (agent !== undefined) entry.agent = agent
  if (typeof tool_name === 'string') entry.tool_name = tool_name
  if (subject !== undefined) entry.subject = subject
  if (detail !== undefined) entry.detail = detail
  if (input !== undefined) entry.input_digest = input
  if (derived !== undefined) entry.derived = derived
  if (reply !== undefined) entry.reply = reply
  return entry
}

/** Undefined when there is no tool, or the input is too large. */
export function inputDigest({ event_type, tool_input }: HookEvent): string | undefined {
  return eventRow(event_type).tool ? plainDigest(tool_input ?? {}) : undefined
}

export function hasFailed({ status }: HookReport): boolean {
  return status === 'failed' || status === 'timed_out'
}

export function subjectOf(event: HookEvent): string | undefined {
  const { subject } = eventRow(event.event_type)
  const value = subject === null ? undefined : event[subject]
  return typeof value === 'string' ? value : undefined
}

/** Input fields that say what is done, and those that say to what; the first present one counts. */
const DOES = ['command', 'cmd', 'script', 'code', 'query', 'pattern', 'prompt']
const TO = [
  'path',
  'file_path',
  'notebook_path',
  'url',
  'uri',
  'target_file',
  'filename',
  'destination',
  'source',
]

/** In search order. */
export const detailFields: readonly string[] = [...DOES, ...TO]

/** Longest detail in characters; the journal truncates longer ones. */
const MAX_DETAIL_CHARS = 2048

/** What a tool was about to do: its command, path or address. The journal redacts secrets in it. */
export function detailOf(
  event: HookEvent,
  level: Settings['journal']['detail'] = 'full',
): string | undefined {
  if (level === 'none') return undefined
  const { tool_input: input } = event
  if (typeof input !== 'object' || input === null) return undefined
  const names = level === 'full' ? detailFields : TO
  for (const name of names) {
    const value = (input as Record<string, unknown>)[name]
    if (typeof value === 'string' && value !== '')
      return value.length > MAX_DETAIL_CHARS ? clipped(value) : value
  }
  return undefined
}

/** Slightly longer than what is stored, so that redaction sees the whole word at the cut. */
function clipped(text: string): string {
  return text.slice(0, 3 * MAX_DETAIL_CHARS)
}
