/** What Crush does with an answer, from its source code. */

import type { Capability } from '../../spec/dialect.ts'

export const capabilities: Readonly<Record<string, Capability>> = {
  PreToolUse: {
    event: 'before_tool',
    deny: true,
    effects: ['updated_input', 'additional_context', 'stop'],
    note: 'Does not fire in subagents. An ask becomes a deny. A rewrite is merged into the input.',
  },
}
