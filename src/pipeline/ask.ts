/** Stage 5: a decision `ask` is put to a person. Without a port the agent's own dialogue asks (see `degrade`). */

import type { Outcome } from '../spec/outcome.ts'
import type { Context } from './context.ts'

/** Who puts the question, and what came of it; undefined leaves it to the agent. */
export type Ask = (context: Context) => Promise<Outcome | undefined>

export async function ask(context: Context): Promise<void> {
  const { outcome, services } = context
  const answer = await services.ask?.(context)
  if (answer) context.outcome = { ...outcome, ...answer }
}
