/** What Grok Build does with an answer on each of its events. Tested with the version in index.ts unless the note says otherwise. */

import type { Capability } from '../../spec/dialect.ts'
import type { Effect } from '../../spec/outcome.ts'

function can(event: string, deny: boolean, effects: readonly Effect[] = [], note?: string): Capability {
  return { event, deny, effects, ...(note ? { note } : {}) }
}

const DOCS = 'By documentation.'

export const capabilities: Readonly<Record<string, Capability>> = {
  SessionStart: can('session_start', false, [], 'Every answer is ignored.'),
  SessionEnd: can('session_end', false),
  UserPromptSubmit: can(
    'before_agent',
    true,
    [],
    'The reason of a deny is shown to the person; context is dropped. Only prompts that a person typed can be stopped.',
  ),
  PreToolUse: can(
    'before_tool',
    true,
    ['ask', 'updated_input', 'additional_context'],
    'An ask by documentation: with --always-approve nobody sees it, so there it is a deny. Context goes with the result of the tool.',
  ),
  PostToolUse: can(
    'after_tool',
    true,
    ['additional_context'],
    'Also fires for a tool that failed. The reason of a deny is told beside the result. A replaced output must have the shape of its tool, so none is sent.',
  ),
  PostToolUseFailure: can('after_tool_failure', false, ['additional_context'], DOCS),
  PermissionDenied: can('permission_denied', false, [], DOCS),
  Stop: can('before_stop', true, [], 'At most 8 continuations in a turn.'),
  StopFailure: can('stop_failure', false, [], DOCS),
  StopCancelled: can('grok-build/StopCancelled', false, [], DOCS),
  SubagentStart: can('subagent_start', false),
  SubagentStop: can('subagent_stop', true, [], `A deny ${DOCS.toLowerCase()}`),
  PreCompact: can('pre_compact', false, [], DOCS),
  PostCompact: can('post_compact', false, [], DOCS),
  Notification: can('notification', false, [], DOCS),
}
