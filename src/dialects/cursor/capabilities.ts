/** What Cursor does with an answer on each of its events, from its documentation. */

import type { Capability } from '../../spec/dialect.ts'
import type { Effect } from '../../spec/outcome.ts'

const CONTEXT: readonly Effect[] = ['additional_context']

function can(event: string, deny: boolean, effects: readonly Effect[] = [], note?: string): Capability {
  return { event, deny, effects, ...(note ? { note } : {}) }
}

const COPY = 'Not installed: '
const SAME_CALL = `${COPY}preToolUse and postToolUse are fired for the same call.`
const NO_USE = `${COPY}nothing that a hook could use.`

export const capabilities: Readonly<Record<string, Capability>> = {
  sessionStart: can('session_start', false, CONTEXT, 'Context beyond 10000 characters is dropped.'),
  sessionEnd: can('session_end', false),
  beforeSubmitPrompt: can('before_agent', true, CONTEXT, 'Older versions take no context here.'),
  preToolUse: can(
    'before_tool',
    true,
    ['updated_input'],
    'An ask becomes a deny: only the events of single tools can ask. A rewrite is sent with an allow.',
  ),
  postToolUse: can(
    'after_tool',
    true,
    CONTEXT,
    'The reason of a deny is told as context. Only the output of MCP tools could be replaced, so none is.',
  ),
  postToolUseFailure: can('after_tool_failure', true, CONTEXT, 'The reason of a deny is told as context.'),
  beforeShellExecution: can('before_tool', true, ['ask'], SAME_CALL),
  afterShellExecution: can('after_tool', false, [], SAME_CALL),
  beforeMCPExecution: can('before_tool', true, ['ask'], SAME_CALL),
  afterMCPExecution: can('after_tool', false, [], SAME_CALL),
  beforeReadFile: can('before_tool', true, [], SAME_CALL),
  afterFileEdit: can('file_changed', false),
  subagentStart: can('subagent_start', true),
  subagentStop: can('subagent_stop', true, [], 'At most 5 continuations in a row.'),
  stop: can('before_stop', true, [], 'At most 5 continuations in a row.'),
  preCompact: can('pre_compact', false),
  afterAgentResponse: can('after_agent', false),
  afterAgentThought: can('cursor/afterAgentThought', false, [], NO_USE),
  beforeTabFileRead: can(
    'cursor/beforeTabFileRead',
    true,
    [],
    `${COPY}completions while typing are no agent.`,
  ),
  afterTabFileEdit: can(
    'cursor/afterTabFileEdit',
    false,
    [],
    `${COPY}completions while typing are no agent.`,
  ),
  workspaceOpen: can('cursor/workspaceOpen', false, [], NO_USE),
}

export const INSTALLED: readonly string[] = Object.keys(capabilities).filter(
  (name) => !capabilities[name]!.note?.startsWith(COPY),
)
