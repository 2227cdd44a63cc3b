/** What the provider does with a verdict, from its documentation. */

import type { Capability } from '../../spec/dialect.ts'

const BRAKE = 'A deny is all that it takes: an ask and a rewritten input become one, context is dropped.'

export const capabilities: Readonly<Record<string, Capability>> = {
  prompt: { event: 'before_agent', deny: true, effects: [], note: BRAKE },
  tool_call: {
    event: 'before_tool',
    deny: true,
    effects: [],
    note: `${BRAKE} One verdict for all calls of a response: a deny of one is a deny of all.`,
  },
}
