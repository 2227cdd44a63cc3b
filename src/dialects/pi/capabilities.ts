/** What our extension can do in pi on each of its events. Tested with the version in index.ts unless the note says otherwise. */

import type { Capability } from '../../spec/dialect.ts'
import type { Effect } from '../../spec/outcome.ts'
import { events, HEARD, ID } from './events.ts'

function can(event: string, deny: boolean, effects: readonly Effect[] = [], note?: string): Capability {
  return { event, deny, effects, ...(note ? { note } : {}) }
}

export const capabilities: Readonly<Record<string, Capability>> = {
  session_start: can(
    'session_start',
    false,
    ['additional_context'],
    'The context goes with the first prompt.',
  ),
  input: can(
    'before_agent',
    true,
    ['additional_context', 'updated_input'],
    'A deny drops the prompt: the person sees the reason, the model never sees the prompt.',
  ),
  tool_call: can(
    'before_tool',
    true,
    ['updated_input', 'additional_context'],
    'Context goes with the result of the tool. An ask and a stop become a deny. The history keeps the input that the model wrote.',
  ),
  tool_result: can(
    'after_tool',
    true,
    ['updated_output', 'additional_context'],
    'Context and the reason of a deny are appended to the result.',
  ),
  agent_end: can('before_stop', true, [], 'The reason is sent as a further message of the person.'),
  session_before_compact: can('pre_compact', true, [], 'By documentation.'),
  session_compact: can('post_compact', false),
  session_shutdown: can('session_end', false),
  ...Object.fromEntries(
    Object.keys(events)
      .filter((name) => !HEARD.includes(name))
      .map((name) => [name, can(`${ID}/${name}`, false, [], 'Not listened to.')]),
  ),
}
