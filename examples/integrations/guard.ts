/** What is the same in every SDK: one tool call, or one question to the model, under hooks. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { EventName, FireResult, GivenEvent, Hooks } from 'crosshook'

export interface ToolCall {
  name: string
  input: Record<string, unknown>
  id?: string
}

export interface GuardOptions {
  hooks: Hooks
  session_id?: string
  work_dir?: string
  /** Asks the person a hook's question. Without it the answer is no. */
  ask?: (question: string, call?: ToolCall) => Promise<boolean> | boolean
}

/** One guard for each session. */
export interface Guard extends GuardOptions {
  /** A hook said "do not go on": the next question to the model is refused with it. */
  stopped: string | null
  /** What hooks said about the model's answers; the model reads it with every later question. */
  remarks: string[]
}

export function createGuard(options: GuardOptions): Guard {
  return { ...options, stopped: null, remarks: [] }
}

/** Thrown where an SDK can be stopped only by an exception. */
export class Blocked extends Error {
  override name = 'Blocked'
}

export interface Came {
  output: unknown
  failed: boolean
}

export interface ToolResult extends Came {
  /** The output is a hook's, not the tool's. */
  replaced: boolean
  /** What the model is to read beside the output. */
  notes: string[]
  /** What the tool threw. */
  thrown?: unknown
}

/** Runs a tool if hooks let it run, and lets them change what goes in and what comes out. Never throws. */
export async function callTool(
  guard: Guard,
  call: ToolCall,
  run: (input: Record<string, unknown>) => Promise<Came>,
): Promise<ToolResult> {
  const before = await patiently(
    () => fire(guard, 'before_tool', toolFields(call)),
    ({ decision, retry }) => (decision === 'deny' ? null : retry),
  )
  const allowed = { ...call, input: before.updated_input ?? call.input }
  const refusal = await refused(guard, before, allowed)
  guard.stopped ??= before.stop
  if (refusal !== null)
    return {
      output: `Blocked by a hook: ${refusal}`,
      failed: true,
      replaced: true,
      notes: before.additional_context,
    }

  const { came, after } = await patiently(
    async () => {
      const started = performance.now()
      const came = await attempt(run, allowed.input)
      const fields = { ...toolFields(allowed), duration_ms: Math.round(performance.now() - started) }
      const after = came.failed
        ? await fire(guard, 'after_tool_failure', { ...fields, error: asText(came.output) })
        : await fire(guard, 'after_tool', { ...fields, tool_output: came.output })
      return { came, after }
    },
    ({ after }) => after.retry,
  )
  guard.stopped ??= after.stop
  const replaced = after.updated_output !== null
  // The tool has already run: a block can only inform the model.
  const feedback = after.decision === 'deny' ? [`[Hook feedback: ${reasonOf(after)}]`] : []
  return {
    ...came,
    ...(replaced ? { output: after.updated_output } : {}),
    replaced,
    notes: [...before.additional_context, ...after.additional_context, ...feedback],
  }
}

export interface Question {
  model: string
  /** What the person said last. */
  prompt: string
  system_prompt?: string
  tools?: string[]
}

/** What to do to the request. */
export interface Changes {
  /** Further messages behind the conversation. */
  messages: { role: 'assistant' | 'user'; text: string }[]
  system_prompt?: string
  /** Only these tools. */
  tools?: string[]
}

/** Asks the model if hooks let it be asked. Throws `Blocked` when they do not, or when they reject every answer. */
export async function askModel<Answer>(
  guard: Guard,
  question: Question,
  ask: (changes: Changes) => Promise<Answer>,
  textOf: (answer: Answer) => string,
): Promise<{ answer: Answer; replacement: string | null }> {
  obeyStop(guard)
  const before = await patiently(
    () => fire(guard, 'before_model', { ...question }),
    ({ decision, retry }) => (decision === 'deny' ? null : retry),
  )
  if (before.decision === 'deny' || before.retry !== null)
    throw new Blocked(before.stop ?? before.reason ?? 'a hook gave no reason')
  const { system_prompt, tools } = before.updated_input ?? {}
  const changes: Changes = {
    messages: [...guard.remarks, ...before.additional_context].map((text) => ({ role: 'user', text })),
    ...(typeof system_prompt === 'string' ? { system_prompt } : {}),
    ...(Array.isArray(tools) ? { tools: tools.map(String) } : {}),
  }
  const { answer, after } = await patiently(
    async () => {
      const started = performance.now()
      const answer = await ask(changes)
      const text = textOf(answer)
      const duration_ms = Math.round(performance.now() - started)
      const after = await fire(guard, 'after_model', { ...question, response: text, duration_ms })
      if (after.decision === 'deny' && after.stop === null)
        changes.messages.push(...(text === '' ? [] : [{ role: 'assistant' as const, text }]), {
          role: 'user',
          text: `[Hook rejected the answer: ${reasonOf(after)}]`,
        })
      return { answer, after }
    },
    ({ after }) => (after.stop === null && after.decision === 'deny' ? (after.retry ?? 0) : after.retry),
  )
  guard.remarks.push(...after.additional_context)
  guard.stopped ??= after.stop
  obeyStop(guard)
  if (after.decision === 'deny') throw new Blocked(reasonOf(after))
  return { answer, replacement: after.updated_output === null ? null : asText(after.updated_output) }
}

export function fire<E extends EventName>(
  { hooks, session_id, work_dir }: Guard,
  event: E,
  fields: GivenEvent<E>,
): Promise<FireResult> {
  const session = { ...(session_id ? { session_id } : {}), ...(work_dir ? { work_dir } : {}) }
  return hooks.fire(event, { ...fields, ...session } as GivenEvent<E>)
}

export function reasonOf(result: FireResult): string {
  return result.stop ?? result.reason ?? 'a hook gave no reason'
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** The output as one text, with what hooks want to have read beside it. */
export function withNotes({ output, notes }: Pick<ToolResult, 'output' | 'notes'>): string {
  return [asText(output), ...notes].join('\n\n')
}

/** Why something may not happen, or null when it may; a hook's question is put to the person. */
export async function refused(guard: Guard, before: FireResult, call?: ToolCall): Promise<string | null> {
  if (before.decision === 'deny') return reasonOf(before)
  if (before.retry !== null) return `${reasonOf(before)} (it is not yet time)`
  if (before.decision !== 'ask') return null
  const question = before.reason ?? 'May it go on?'
  return (await guard.ask?.(question, call)) ? null : `nobody agreed to it: ${question}`
}

function obeyStop(guard: Guard): void {
  const { stopped } = guard
  if (stopped === null) return
  guard.stopped = null
  throw new Blocked(stopped)
}

async function attempt(
  run: (input: Record<string, unknown>) => Promise<Came>,
  input: Record<string, unknown>,
): Promise<Came & { thrown?: unknown }> {
  try {
    return await run(input)
  } catch (thrown) {
    return { output: thrown instanceof Error ? thrown.message : String(thrown), failed: true, thrown }
  }
}

const MAX_RETRIES = 3
const MAX_DELAY_MS = 30_000

/** Tries again as long as hooks ask for it, but not for ever. `again` says how long to wait, or null. */
async function patiently<T>(attemptOnce: () => Promise<T>, again: (came: T) => number | null): Promise<T> {
  for (let tried = 0; ; tried++) {
    const came = await attemptOnce()
    const delay = again(came)
    if (delay === null || tried === MAX_RETRIES) return came
    await sleep(Math.min(delay, MAX_DELAY_MS))
  }
}

function toolFields({ name, input, id }: ToolCall) {
  return { tool_name: name, tool_input: input, ...(id === undefined ? {} : { tool_use_id: id }) }
}
