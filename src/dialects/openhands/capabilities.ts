/** What OpenHands does with an answer on each of its events, from its source code. */

import type { Capability } from '../../spec/dialect.ts'
import type { Effect } from '../../spec/outcome.ts'

const CONTEXT: readonly Effect[] = ['additional_context']

function can(event: string, deny: boolean, effects: readonly Effect[] = [], note?: string): Capability {
  return { event, deny, effects, ...(note ? { note } : {}) }
}

export const capabilities: Readonly<Record<string, Capability>> = {
  SessionStart: can('session_start', false),
  SessionEnd: can('session_end', false),
  UserPromptSubmit: can('before_agent', true, CONTEXT),
  PreToolUse: can('before_tool', true, CONTEXT, 'An ask and a rewritten input become a deny.'),
  PostToolUse: can(
    'after_tool',
    true,
    CONTEXT,
    'Also fires for a tool that failed. The reason of a deny is told as context.',
  ),
  Stop: can('before_stop', true, CONTEXT),
}
