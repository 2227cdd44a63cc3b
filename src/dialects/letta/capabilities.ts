/** What Letta Code does with an answer on each of its events. Tested with the version in index.ts unless the note says otherwise. */

import type { Capability } from '../../spec/dialect.ts'
import type { Effect } from '../../spec/outcome.ts'

const CONTEXT: readonly Effect[] = ['additional_context']

function can(event: string, deny: boolean, effects: readonly Effect[] = [], note?: string): Capability {
  return { event, deny, effects, ...(note ? { note } : {}) }
}

const TERMINAL = 'Read in its source; it does not fire without a terminal.'

export const capabilities: Readonly<Record<string, Capability>> = {
  SessionStart: can('session_start', false, CONTEXT, TERMINAL),
  SessionEnd: can('session_end', false, [], TERMINAL),
  UserPromptSubmit: can('before_agent', true, CONTEXT, TERMINAL),
  PreToolUse: can(
    'before_tool',
    true,
    [],
    'The model reads our command line before the reason. A rewritten input and an ask become a deny; context is dropped.',
  ),
  PostToolUse: can('after_tool', true, CONTEXT, 'The reason of a deny is told as context.'),
  PostToolUseFailure: can('after_tool_failure', true, CONTEXT, 'Read in its source.'),
  PermissionRequest: can('permission_request', true, ['ask'], TERMINAL),
  Stop: can('before_stop', true, [], TERMINAL),
  SubagentStop: can('subagent_stop', true, [], TERMINAL),
  PreCompact: can('pre_compact', false, [], TERMINAL),
  Notification: can('notification', false, [], TERMINAL),
}
