/** What Codex does with an answer on each of its events. Tested with the version in index.ts. */

import type { Capability } from '../../spec/dialect.ts'
import type { Effect } from '../../spec/outcome.ts'

const IGNORED = 'Every answer is ignored.'

function can(event: string, deny: boolean, effects: readonly Effect[] = [], note?: string): Capability {
  return { event, deny, effects, ...(note ? { note } : {}) }
}

export const capabilities: Readonly<Record<string, Capability>> = {
  SessionStart: can(
    'session_start',
    true,
    ['additional_context', 'stop'],
    'A deny ends the turn. Fires with the first prompt, not at the start of the program.',
  ),
  SessionEnd: can('session_end', false, [], `${IGNORED} It is waited for 3 seconds at most.`),
  UserPromptSubmit: can(
    'before_agent',
    true,
    ['additional_context', 'stop'],
    '`codex exec` does not show the reason and exits with 0. The prompt cannot be rewritten. Also fires for the prompt of a subagent.',
  ),
  PreModelRequest: can('before_model', false, [], `${IGNORED} The payload has no request.`),
  PostModelRequest: can('after_model', false, [], `${IGNORED} The payload has no response.`),
  PreToolUse: can(
    'before_tool',
    true,
    ['updated_input', 'additional_context'],
    'A patch can only be rewritten as a whole patch. What is typed into a running process (write_stdin) fires nothing.',
  ),
  PermissionRequest: can(
    'permission_request',
    true,
    ['ask'],
    'Does not fire in `codex exec`. An ask leaves the question to the person.',
  ),
  PostToolUse: can(
    'after_tool',
    true,
    ['updated_output', 'additional_context'],
    'A deny takes the place of the output. There is no exit code, and nothing fires for tools that fail in themselves.',
  ),
  PreCompact: can('pre_compact', true, ['stop'], 'A deny ends the turn as well.'),
  PostCompact: can('post_compact', false, [], 'An answer could only interrupt the turn.'),
  SubagentStart: can('subagent_start', false, ['additional_context']),
  SubagentStop: can('subagent_stop', true, ['stop']),
  Stop: can('before_stop', true, ['stop']),
  Interrupt: can('codex/Interrupt', false, [], `${IGNORED} It is waited for 3 seconds at most.`),
}
