/** Stage 5: puts a decision `ask` to a person. Without a port the agent's own dialog asks (see `degrade`). */

import type { Outcome } from '../spec/outcome.ts'
import type { Context } from './context.ts'

/** Asks and returns the outcome; undefined leaves the question to the agent. */
export type Ask = (context: Context) => Promise<Outcome | undefined>

export async function ask(context: Context): Promise<void> {
  const { outcome, services } = context
  const answer = await services.ask?.(context)
  if (answer) context.outcome = { ...outcome, ...answer }
}
