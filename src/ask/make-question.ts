/** Turns a call that a hook wants asked into the question that a person sees, bound to exactly what would run. */

import { repositoryRoot } from '../config/repository.ts'
import type { ChannelName } from '../config/settings.ts'
import { digest, sha256Hex } from '../fast/digest.ts'
import type { Journal } from '../journal/port.ts'
import type { Context } from '../pipeline/context.ts'
import { detailOf } from '../pipeline/record.ts'
import type * as redaction from '../redact/redact.ts'
import type { Act } from '../spec/act.ts'
import type { HookEvent } from '../spec/event.ts'
import { readBytes } from '../spec/read-file.ts'
import type { Earlier, Question, Script, ShownAct } from './question.ts'

/** Of one text that is shown, in characters. */
const MAX_TEXT_CHARS = 16_384
const MAX_SUMMARY_CHARS = 300
/** Calls of the session before this one that are shown. */
const RUN_UP = 8
/** Larger scripts are not read: the call then counts as one that could not be pinned. */
const MAX_SCRIPT_BYTES = 16 * 1024 * 1024

/** What would run, and the digest that a grant is bound to. */
export interface Pinned {
  event: HookEvent
  acts: readonly Act[]
  scripts: readonly Script[]
  digest: string
}

export async function pin({ event: asked, outcome, env }: Context): Promise<Pinned> {
  // A hook may have rewritten the input: the person is asked about what would run.
  const event = outcome.updated_input ? { ...asked, tool_input: outcome.updated_input } : asked
  const acts = await actsOf(event, env)
  const scripts = scriptsOf(acts)
  return { event, acts, scripts, digest: digestOf(event, scripts, outcome.confine) }
}

/** Checked again after the answer: the script may have changed. */
export function isSame({ event, acts, digest: known }: Pinned, { outcome }: Context): boolean {
  return digestOf(event, scriptsOf(acts), outcome.confine) === known
}

function digestOf(event: HookEvent, scripts: readonly Script[], confine: unknown): string {
  const { event_type, tool_name, tool_input, work_dir } = event
  // Events without a tool are distinguished by all their fields.
  const { timestamp: _, native: __, context: ___, session_id: ____, ...fields } = event
  const subject = tool_input === undefined ? fields : { tool_name, tool_input }
  // The question before a tool runs and the agent's own question about it concern the same call.
  const about = tool_input === undefined ? event_type : 'tool'
  return digest({ about, subject, work_dir, scripts, ...(confine === undefined ? {} : { confine }) })
}

async function actsOf(event: HookEvent, env: NodeJS.ProcessEnv): Promise<Act[]> {
  const { tool_name, tool_input, work_dir } = event
  if (typeof tool_name !== 'string' || typeof tool_input !== 'object' || tool_input === null) return []
  const { loadActs } = await import('../acts/acts.ts')
  return loadActs()({ tool_name, tool_input: tool_input as Record<string, unknown>, work_dir, env })
}

function scriptsOf(acts: readonly Act[]): Script[] {
  const paths = new Set(
    acts.flatMap(({ does, path }) => (does === 'run' && path?.startsWith('/') ? [path] : [])),
  )
  return [...paths].sort().map((path) => ({ path, digest: fileDigest(path) }))
}

function fileDigest(path: string): string | null {
  try {
    const bytes = readBytes(path)
    return bytes.length > MAX_SCRIPT_BYTES ? null : sha256Hex(bytes)
  } catch {
    return null // missing or unreadable: shown as unknown
  }
}

export type Redaction = Pick<typeof redaction, 'redact' | 'redactDeep'>

export interface More extends Redaction {
  id: string
  now: number
  deadline: number
  approvers: readonly string[]
  approvals: number
  via: readonly ChannelName[]
  journal: Journal
}

export function makeQuestion(context: Context, pinned: Pinned, more: More): Question {
  const { agent, outcome, ran } = context
  const { event } = pinned
  const { redact, redactDeep } = more
  const { work_dir, session_id, event_type } = event
  const tool = typeof event.tool_name === 'string' ? event.tool_name : event_type
  return {
    id: more.id,
    at: new Date(more.now).toISOString(),
    deadline: new Date(more.deadline).toISOString(),
    agent: agent!.id,
    agent_title: agent!.title,
    session_id,
    work_dir,
    project: repositoryRoot(work_dir) ?? work_dir,
    event: event_type,
    tool_name: tool,
    summary: summaryOf(event, tool, redact),
    input: redactDeep(clipped(event.tool_input ?? {})),
    acts: pinned.acts.map((act) => shown(act, redact)),
    digest: pinned.digest,
    scripts: pinned.scripts,
    why: redact(outcome.reason ?? 'A hook wants a person to decide.'),
    hooks: ran!.reports.filter(({ asked }) => asked).map(({ name }) => name),
    approvers: more.approvers,
    approvals: more.approvals,
    run_up: runUp(more.journal, session_id),
    via: more.via,
    waiter: process.pid,
  }
}

function summaryOf(event: HookEvent, tool: string, redact: Redaction['redact']): string {
  const detail = redact(detailOf(event) ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  const text = detail === '' ? tool : `${tool}: ${detail}`
  return text.length > MAX_SUMMARY_CHARS ? `${text.slice(0, MAX_SUMMARY_CHARS)}…` : text
}

function shown({ does, path, host, program, certain, places }: Act, redact: Redaction['redact']): ShownAct {
  return {
    does,
    ...(path === undefined ? {} : { path: redact(path) }),
    ...(host === undefined ? {} : { host }),
    ...(program === undefined ? {} : { program }),
    ...(places === undefined ? {} : { places }),
    certain,
  }
}

function clipped(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === 'string' && each.length > MAX_TEXT_CHARS ? `${each.slice(0, MAX_TEXT_CHARS)}…` : each,
  )
}

/** Optional: without it the question is only shorter. */
function runUp(journal: Journal, session: string): Earlier[] {
  if (session === '') return []
  try {
    return journal
      .list({ session, limit: RUN_UP })
      .filter(({ event }) => event !== 'approval')
      .map(({ at, tool_name, event, detail, decision }) => ({
        at,
        tool_name: tool_name ?? event,
        detail: (detail ?? '').slice(0, MAX_SUMMARY_CHARS),
        decision,
      }))
  } catch {
    return []
  }
}
