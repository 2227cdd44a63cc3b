/** What Gemini CLI does with an answer on each of its events. Tested with the version in index.ts. */

import type { Capability } from '../../spec/dialect.ts'
import type { Effect } from '../../spec/outcome.ts'

const IGNORED = 'Every answer is ignored.'
const NOT_INSTALLED = 'Not installed: '

function can(event: string, deny: boolean, effects: readonly Effect[] = [], note?: string): Capability {
  return { event, deny, effects, ...(note ? { note } : {}) }
}

export const capabilities: Readonly<Record<string, Capability>> = {
  SessionStart: can('session_start', false, ['additional_context'], 'A deny and a stop are ignored.'),
  SessionEnd: can('session_end', false, [], `${IGNORED} Fires twice at an interactive /quit.`),
  BeforeAgent: can('before_agent', true, ['additional_context', 'stop'], 'The prompt cannot be rewritten.'),
  AfterAgent: can('before_stop', true, ['stop'], 'The final message is garbled for streamed answers.'),
  BeforeModel: can(
    'before_model',
    true,
    ['updated_input', 'stop'],
    'A deny ends the turn. The payload has neither system prompt nor tools.',
  ),
  BeforeToolSelection: can(
    'before_tool_selection',
    true,
    ['updated_input'],
    'A deny leaves the model without tools for this request.',
  ),
  AfterModel: can(
    'after_model',
    true,
    ['updated_output', 'stop'],
    `${NOT_INSTALLED}it fires for every chunk of a stream. A deny ends the turn after the text was shown.`,
  ),
  BeforeTool: can(
    'before_tool',
    true,
    ['updated_input', 'stop'],
    'An ask would end a headless run without a word, so it becomes a deny. Context is dropped. An allow never skips the permission question.',
  ),
  AfterTool: can(
    'after_tool',
    true,
    ['updated_output', 'additional_context', 'stop'],
    'A deny takes the place of the output, and a replaced output is shown as an error.',
  ),
  PreCompress: can(
    'pre_compact',
    false,
    [],
    `${IGNORED} Installed for manual compression only: the automatic one fires before every request.`,
  ),
  Notification: can('notification', false, [], IGNORED),
}

/** Events that cost too much to listen to. */
export const NEVER_INSTALLED: readonly string[] = Object.keys(capabilities).filter((name) =>
  capabilities[name]!.note?.startsWith(NOT_INSTALLED),
)
