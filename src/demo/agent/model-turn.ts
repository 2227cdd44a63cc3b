/** One question to the model, with everything that hooks may do about it. */

import { asText } from './call-tool.ts'
import type { ModelAnswer, Request } from './scripted-model.ts'
import { addContext, fire, reasonOf, type Session, withRetries } from './session.ts'

export type Answered = { answer: ModelAnswer } | { again: string } | { stop: string } | { failed: string }

export async function askModel(session: Session, prompt: string): Promise<Answered> {
  const { model } = session
  const before = await withRetries(
    () => fire(session, 'before_model', { model: model.name, prompt, tools: toolNames(session) }),
    (result) => (result.decision === 'deny' ? null : result.retry),
  )
  addContext(session, before)
  if (before.decision === 'deny') return { stop: before.stop ?? reasonOf(before) }
  if (before.retry !== null) return { stop: `${reasonOf(before)} (it is not yet time)` }

  const came = await withRetries(
    async () => {
      const started = performance.now()
      const answer = await attempt(session, requestFor(session, before.updated_input))
      if ('failed' in answer) return answer
      const after = await fire(session, 'after_model', {
        model: model.name,
        prompt,
        response: answer.text,
        usage: answer.usage,
        duration_ms: Math.round(performance.now() - started),
      })
      return { answer, after }
    },
    (given) => ('failed' in given ? null : given.after.retry),
  )
  if ('failed' in came) {
    await fire(session, 'stop_failure', { error: came.failed })
    return came
  }
  const { answer, after } = came
  addContext(session, after)
  if (after.stop !== null) return { stop: after.stop }
  if (after.decision === 'deny') return { again: `[Hook rejected the answer: ${reasonOf(after)}]` }
  return {
    answer: after.updated_output === null ? answer : { ...answer, text: asText(after.updated_output) },
  }
}

async function attempt(session: Session, request: Request): Promise<ModelAnswer | { failed: string }> {
  try {
    return await session.model.answer(request)
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}

/** A hook may narrow the tools and say something first. */
function requestFor(session: Session, updated: Record<string, unknown> | null): Request {
  const { system_prompt: first, tools } = updated ?? {}
  const names = toolNames(session)
  return {
    messages:
      typeof first === 'string'
        ? [{ role: 'system', content: first }, ...session.messages]
        : session.messages,
    tools: Array.isArray(tools) ? names.filter((name) => tools.includes(name)) : names,
  }
}

function toolNames(session: Session): string[] {
  return [...Object.keys(session.tools), ...(session.subagentModel ? ['Subagent'] : [])]
}
