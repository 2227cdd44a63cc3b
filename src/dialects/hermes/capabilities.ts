/** What Hermes Agent does with an answer on each of its events. Tested with the version in index.ts unless the note says otherwise. */

import type { Capability } from '../../spec/dialect.ts'
import type { Effect } from '../../spec/outcome.ts'

function can(event: string, deny: boolean, effects: readonly Effect[] = [], note?: string): Capability {
  return { event, deny, effects, ...(note ? { note } : {}) }
}

const IGNORED = 'Every answer is ignored.'
const NOT_INSTALLED = 'Not installed: '

export const capabilities: Readonly<Record<string, Capability>> = {
  on_session_start: can('session_start', false, [], IGNORED),
  on_session_finalize: can('session_end', false, [], `${IGNORED} Does not fire in \`hermes -z\`.`),
  pre_llm_call: can(
    'before_agent',
    false,
    ['additional_context'],
    'Context goes with the prompt. A prompt cannot be stopped.',
  ),
  post_llm_call: can('after_agent', false, [], IGNORED),
  pre_tool_call: can(
    'before_tool',
    true,
    [],
    'A deny is all that it takes: an ask and a rewritten input become one, context is dropped.',
  ),
  post_tool_call: can('after_tool', false, [], `${IGNORED} Also fires for a tool that failed.`),
  pre_verify: can(
    'before_stop',
    true,
    [],
    'Fires only in a turn that changed files, and sends it back to work 3 times at most.',
  ),
  subagent_start: can('subagent_start', false, [], IGNORED),
  subagent_stop: can('subagent_stop', false, [], IGNORED),
  on_session_end: can(
    'hermes/on_session_end',
    false,
    [],
    `${NOT_INSTALLED}it fires at the end of every turn.`,
  ),
  on_session_reset: can(
    'hermes/on_session_reset',
    false,
    [],
    `${NOT_INSTALLED}nothing that a hook could use.`,
  ),
  pre_api_request: can(
    'before_model',
    false,
    [],
    `${NOT_INSTALLED}it sends the whole conversation each time.`,
  ),
  post_api_request: can(
    'after_model',
    false,
    [],
    `${NOT_INSTALLED}it sends the whole conversation each time.`,
  ),
}

export const INSTALLED = Object.keys(capabilities).filter(
  (event) => !capabilities[event]!.note?.startsWith(NOT_INSTALLED),
)
