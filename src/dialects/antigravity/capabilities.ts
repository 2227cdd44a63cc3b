/** What Antigravity does with an answer on each of its events, from its documentation. */

import type { Capability } from '../../spec/dialect.ts'
import type { Effect } from '../../spec/outcome.ts'

function can(event: string, deny: boolean, effects: readonly Effect[] = [], note?: string): Capability {
  return { event, deny, effects, ...(note ? { note } : {}) }
}

const UNKNOWN = 'What an answer does is not established.'

export const capabilities: Readonly<Record<string, Capability>> = {
  SessionStart: can('session_start', false, [], UNKNOWN),
  PreInvocation: can('before_model', false, [], UNKNOWN),
  PostInvocation: can('after_model', false, [], UNKNOWN),
  PreToolUse: can(
    'before_tool',
    true,
    ['ask'],
    'An ask is sent as `force_ask`, which no earlier "always allow" answers. It needs a decision each time: without an objection it is `ask`, its own usual way.',
  ),
  PostToolUse: can('after_tool', false, [], UNKNOWN),
  Stop: can('before_stop', false, [], UNKNOWN),
}

/** Left out: it fires for every request to the model, and each would start a program. */
export const INSTALLED = ['SessionStart', 'PreToolUse', 'PostToolUse', 'Stop']
