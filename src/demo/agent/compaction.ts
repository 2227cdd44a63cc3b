/** When the conversation gets too long, its beginning becomes a summary. */

import { countTokens } from './scripted-model.ts'
import { addContext, fire, type Session } from './session.ts'

const KEPT = 4
const WARN_AT = 0.8

export async function compactIfFull(session: Session): Promise<void> {
  const { tokens: limit } = session.limits
  const count = countTokens(session.messages)
  if (count > limit) await compact(session, 'auto')
  else if (count > limit * WARN_AT)
    addContext(
      session,
      await fire(session, 'context_warning', {
        token_count: count,
        token_limit: limit,
        usage_percent: Math.round((count / limit) * 100),
      }),
    )
}

/** False when a hook wants the conversation to stay as it is, or when there is nothing to shorten. */
export async function compact(session: Session, trigger: 'auto' | 'manual'): Promise<boolean> {
  if (session.messages.length <= KEPT) return false
  const before = await fire(session, 'pre_compact', { trigger, token_count: countTokens(session.messages) })
  if (before.decision === 'deny') return false
  const summary = summarise(session)
  // A tool message must not lose the call that it answers.
  let from = session.messages.length - KEPT
  while (from > 0 && session.messages[from]?.role === 'tool') from--
  session.messages = [{ role: 'system', content: summary }, ...session.messages.slice(from)]
  addContext(session, before)
  addContext(session, await fire(session, 'post_compact', { trigger, summary }))
  return true
}

/** A real agent asks its model for this. */
function summarise({ messages }: Session): string {
  const lines = messages.slice(0, -KEPT).map(({ role, content }) => `${role}: ${content.slice(0, 80)}`)
  return `Summary of what came before:\n${lines.join('\n')}`
}
