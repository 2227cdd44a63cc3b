/** What Droid does with an answer on each of its events. Tested with the version in index.ts unless the note says otherwise. */

import type { Capability } from '../../spec/dialect.ts'
import type { Effect } from '../../spec/outcome.ts'

function can(event: string, deny: boolean, effects: readonly Effect[] = [], note?: string): Capability {
  return { event, deny, effects, ...(note ? { note } : {}) }
}

export const capabilities: Readonly<Record<string, Capability>> = {
  SessionStart: can('session_start', false, ['additional_context']),
  SessionEnd: can('session_end', false),
  UserPromptSubmit: can(
    'before_agent',
    true,
    ['additional_context', 'stop'],
    'By documentation; it does not fire in `droid exec`.',
  ),
  PreToolUse: can(
    'before_tool',
    true,
    ['updated_input', 'stop'],
    'An ask is not shown when the autonomy level allows the tool, so it becomes a deny. Context is not shown to the model. A stop ends the run.',
  ),
  PostToolUse: can(
    'after_tool',
    true,
    ['additional_context', 'stop'],
    'The reason of a deny is told as context. Does not fire for a tool that failed.',
  ),
  Stop: can('before_stop', true),
  SubagentStop: can('subagent_stop', true, [], 'By documentation.'),
  PreCompact: can('pre_compact', false),
  Notification: can('notification', false),
}
