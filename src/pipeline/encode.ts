/** Stage 7: encodes the outcome as this agent expects it: stdout, stderr, exit code. */

import type { Reply } from '../spec/dialect.ts'
import type { Context } from './context.ts'

export function encode({ agent, possible, event }: Context): Reply {
  return agent!.agent.encode(possible, event)
}
