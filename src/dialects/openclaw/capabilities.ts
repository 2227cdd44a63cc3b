/** What our plugin can do in OpenClaw on each of its hooks. Tested with the version in index.ts unless the note says otherwise. */

import type { Capability } from '../../spec/dialect.ts'
import type { Effect } from '../../spec/outcome.ts'
import { events, HEARD, ID } from './events.ts'

const BY_DOCUMENTATION = 'By documentation: it fires only in the gateway.'

function can(event: string, deny: boolean, effects: readonly Effect[] = [], note?: string): Capability {
  return { event, deny, effects, ...(note ? { note } : {}) }
}

export const capabilities: Readonly<Record<string, Capability>> = {
  session_start: can(
    'session_start',
    false,
    ['additional_context'],
    `${BY_DOCUMENTATION} The context goes with the next prompt.`,
  ),
  before_agent_run: can(
    'before_agent',
    true,
    ['additional_context'],
    'A deny drops the prompt: the person sees the reason, the model never sees the prompt. Prompts of subagents are judged as calls of the tool that starts them.',
  ),
  before_tool_call: can(
    'before_tool',
    true,
    ['updated_input', 'additional_context'],
    'Context goes with the result of the tool. An ask and a stop become a deny.',
  ),
  after_tool_call: can(
    'after_tool',
    true,
    ['updated_output', 'additional_context'],
    'Context and the reason of a deny are appended to the result.',
  ),
  before_agent_finalize: can(
    'before_stop',
    false,
    [],
    'OpenClaw takes no further turn after a tool that may have changed something, so nothing can send it back to work.',
  ),
  before_compaction: can('pre_compact', false, [], 'By documentation.'),
  after_compaction: can('post_compact', false, [], 'By documentation.'),
  subagent_spawned: can('subagent_start', false, [], BY_DOCUMENTATION),
  subagent_ended: can('subagent_stop', false, [], BY_DOCUMENTATION),
  session_end: can('session_end', false),
  ...Object.fromEntries(
    Object.keys(events)
      .filter((name) => !HEARD.includes(name))
      .map((name) => [name, can(`${ID}/${name}`, false, [], 'Not listened to.')]),
  ),
}
