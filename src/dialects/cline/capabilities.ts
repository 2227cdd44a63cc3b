/** What Cline does with an answer on each of its events. Tested with the version in index.ts unless the note says otherwise. */

import type { Capability } from '../../spec/dialect.ts'
import type { Effect } from '../../spec/outcome.ts'

function can(event: string, deny: boolean, effects: readonly Effect[] = [], note?: string): Capability {
  return { event, deny, effects, ...(note ? { note } : {}) }
}

export const capabilities: Readonly<Record<string, Capability>> = {
  TaskStart: can('session_start', false, [], 'Every answer is ignored.'),
  TaskResume: can('session_start', false, [], 'Every answer is ignored.'),
  UserPromptSubmit: can(
    'before_agent',
    true,
    ['additional_context'],
    'By documentation; it does not fire without a terminal.',
  ),
  PreToolUse: can(
    'before_tool',
    true,
    ['updated_input', 'additional_context', 'stop'],
    'A deny ends the whole run, and the model never hears why. An ask becomes a deny.',
  ),
  PostToolUse: can('after_tool', true, ['additional_context'], 'The reason of a deny is told as context.'),
  TaskComplete: can(
    'before_stop',
    false,
    [],
    'It is told when it is over: the agent cannot be sent back to work.',
  ),
  TaskError: can('stop_failure', false),
  TaskCancel: can('session_end', false),
  SessionShutdown: can('session_end', false),
  PreCompact: can('pre_compact', false, [], 'By documentation of the editor extension.'),
}
