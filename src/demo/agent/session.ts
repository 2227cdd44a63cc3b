/** What one session of the agent knows, and how it fires its events. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { EventName, FireResult, GivenEvent, Hooks } from '../../index.ts'
import type { Rules } from './permission.ts'
import type { Message, Model, ToolCall } from './scripted-model.ts'
import type { Tool } from './tools.ts'

/** What happens, for whoever shows it to the person. */
export type Happening =
  | { kind: 'hooks'; result: FireResult }
  | { kind: 'prompt' | 'says' | 'told' | 'warning'; text: string }
  | { kind: 'wants'; call: ToolCall }
  | { kind: 'asks'; question: string; agreed: boolean }
  | { kind: 'result'; call: ToolCall; text: string; failed: boolean }

export interface Session {
  readonly id: string
  readonly workDir: string
  readonly hooks: Hooks
  readonly model: Model
  readonly tools: Readonly<Record<string, Tool>>
  /** Makes the model of a subagent; without it there are none. */
  readonly subagentModel?: (type: string, task: string) => Model
  /** Puts a question to the person. */
  readonly ask: (question: string, call?: ToolCall) => Promise<boolean> | boolean
  readonly report: (happening: Happening) => void
  readonly limits: { steps: number; tokens: number }
  readonly rules: Rules
  messages: Message[]
  steps: number
  readonly started: number
  /** Files that a hook wants to have watched, with their last change. */
  readonly watched: Map<string, number>
}

/** Fires an event of this session; what hooks say to the person is shown at once. */
export async function fire<E extends EventName>(
  session: Session,
  event: E,
  fields: GivenEvent<E>,
): Promise<FireResult> {
  const result = await session.hooks.fire(event, {
    ...fields,
    session_id: session.id,
    work_dir: session.workDir,
  } as GivenEvent<E>)
  session.report({ kind: 'hooks', result })
  if (result.user_message !== null && result.decision === 'allow')
    session.report({ kind: 'told', text: result.user_message })
  return result
}

const MAX_RETRIES = 3
const MAX_DELAY_MS = 30_000

/**
 * Repeats an operation as long as hooks ask for it, after their delay and a limited number of times. `again` says for
 * an attempt's result how long to wait, or null.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  again: (came: T) => number | null,
): Promise<T> {
  for (let tried = 0; ; tried++) {
    const came = await attempt()
    const delay = again(came)
    if (delay === null || tried === MAX_RETRIES) return came
    await sleep(Math.min(delay, MAX_DELAY_MS))
  }
}

/** Context from hooks goes to the model unchanged. */
export function addContext(session: Session, { additional_context: texts }: FireResult): void {
  for (const content of texts) session.messages.push({ role: 'system', content })
}

export function reasonOf(result: FireResult): string {
  return result.reason ?? 'a hook gave no reason'
}
