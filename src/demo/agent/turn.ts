/** One turn: a prompt, then model and tools in turn until the work is done. */

import { asText, callTool } from './call-tool.ts'
import { compactIfFull } from './compaction.ts'
import { askModel } from './model-turn.ts'
import type { Message } from './scripted-model.ts'
import { addContext, fire, reasonOf, type Session } from './session.ts'
import { lookAtWatched } from './watch.ts'

export interface Turn {
  /** `refused`: the prompt never reached the model. */
  ended: 'done' | 'refused' | 'stopped' | 'tool_rejected' | 'max_steps' | 'failed'
  text: string
  /** Why, when it is not done. */
  reason?: string
}

const MAX_BLOCKED_STOPS = 3

export async function takeTurn(session: Session, given: string): Promise<Turn> {
  const before = await fire(session, 'before_agent', { prompt: given })
  if (before.decision === 'deny')
    return { ended: 'refused', text: '', reason: before.stop ?? reasonOf(before) }
  if (before.decision === 'ask' && !(await session.ask(reasonOf(before))))
    return { ended: 'refused', text: '', reason: reasonOf(before) }
  const prompt = before.updated_input === null ? given : asText(before.updated_input.prompt ?? given)
  session.report({ kind: 'prompt', text: prompt })
  session.messages.push({ role: 'user', content: prompt })
  addContext(session, before)
  const turn = await work(session, prompt)
  return finish(session, turn)
}

/** A subagent has no prompt of the person, but works the same way. */
export async function work(session: Session, prompt: string): Promise<Turn> {
  let blockedStops = 0
  for (let step = 1; step <= session.limits.steps; step++) {
    session.steps++
    await compactIfFull(session)
    await lookAtWatched(session)
    const came = await askModel(session, prompt)
    if ('failed' in came) return { ended: 'failed', text: '', reason: came.failed }
    if ('stop' in came) return { ended: 'stopped', text: '', reason: came.stop }
    if ('again' in came) {
      session.messages.push({ role: 'user', content: came.again })
      continue
    }
    const { text, tool_calls: calls } = came.answer
    const message: Message = {
      role: 'assistant',
      content: text,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    }
    session.messages.push(message)
    if (text !== '') session.report({ kind: 'says', text })

    let rejected: string | undefined
    for (const call of calls) {
      const next = await callTool(session, call)
      if (next.go === 'stop') return { ended: 'stopped', text, reason: next.reason }
      if (next.go === 'rejected') rejected = next.reason
    }
    if (rejected !== undefined) {
      await beforeStop(session, 'tool_rejected', step, message)
      return { ended: 'tool_rejected', text, reason: rejected }
    }
    if (calls.length > 0) continue

    const gate = await beforeStop(session, 'no_tool_calls', step, message)
    if (gate.decision !== 'deny' || gate.stop !== null) return { ended: 'done', text }
    if (++blockedStops > MAX_BLOCKED_STOPS) {
      session.report({
        kind: 'warning',
        text: `before_stop hooks blocked the stop ${blockedStops} times, which is more than ${MAX_BLOCKED_STOPS}; the agent stops.`,
      })
      return { ended: 'done', text }
    }
    session.messages.push({ role: 'user', content: `[Hook blocked stop: ${reasonOf(gate)}]` })
  }
  await beforeStop(session, 'max_steps', session.limits.steps, null)
  return { ended: 'max_steps', text: '', reason: `The limit of ${session.limits.steps} steps is reached.` }
}

/** Hooks run whatever the reason of the stop; only the end of the work can be turned into more of it. */
async function beforeStop(session: Session, stopReason: string, step: number, message: Message | null) {
  const gate = await fire(session, 'before_stop', {
    stop_reason: stopReason,
    step_count: step,
    final_message: message === null ? null : { role: message.role, content: message.content },
  })
  addContext(session, gate)
  return gate
}

async function finish(session: Session, turn: Turn): Promise<Turn> {
  const after = await fire(session, 'after_agent', { response: turn.text })
  addContext(session, after)
  // Too late to undo: the model reads it with the next prompt.
  if (after.decision === 'deny')
    session.messages.push({ role: 'system', content: `[Hook feedback: ${reasonOf(after)}]` })
  return after.updated_output === null ? turn : { ...turn, text: asText(after.updated_output) }
}
