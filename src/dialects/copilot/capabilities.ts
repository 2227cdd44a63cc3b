/** What Copilot CLI does with an answer on each of its events. Tested with the version in index.ts unless the note says otherwise. */

import type { Capability } from '../../spec/dialect.ts'
import type { Effect } from '../../spec/outcome.ts'
import { PASCAL_NAMES } from './events.ts'

const CONTEXT: readonly Effect[] = ['additional_context']

function can(event: string, deny: boolean, effects: readonly Effect[] = [], note?: string): Capability {
  return { event, deny, effects, ...(note ? { note } : {}) }
}

const own: Record<string, Capability> = {
  sessionStart: can('session_start', false, CONTEXT),
  sessionEnd: can('session_end', false),
  userPromptSubmitted: can(
    'before_agent',
    true,
    ['additional_context', 'updated_input'],
    'A deny drops the prompt: the person sees the reason, the model never sees the prompt.',
  ),
  userPromptTransformed: can(
    'copilot/userPromptTransformed',
    false,
    CONTEXT,
    'Not installed: it is the same prompt a second time.',
  ),
  preToolUse: can(
    'before_tool',
    true,
    ['ask', 'updated_input', 'additional_context'],
    'Headless, an ask is a deny with its reason. A stop becomes a deny.',
  ),
  postToolUse: can(
    'after_tool',
    true,
    ['updated_output', 'additional_context'],
    'A deny takes the place of the result. A shell command that fails counts as a success; a call that the path rules refuse has no event.',
  ),
  postToolUseFailure: can('after_tool_failure', true, CONTEXT, 'A deny is told as guidance.'),
  permissionRequest: can(
    'permission_request',
    true,
    ['ask'],
    'An ask leaves the question to the person. Also fires when every tool is allowed.',
  ),
  agentStop: can('before_stop', true, [], 'At most 8 continuations in a row, by documentation.'),
  subagentStart: can(
    'subagent_start',
    false,
    CONTEXT,
    'Not for general-purpose subagents, by documentation.',
  ),
  subagentStop: can('subagent_stop', true, [], 'It has no limit of its own to how often a subagent goes on.'),
  preCompact: can('pre_compact', false),
  notification: can('notification', false, CONTEXT, 'Not waited for.'),
  errorOccurred: can('stop_failure', false),
}

export const capabilities: Readonly<Record<string, Capability>> = {
  ...own,
  ...Object.fromEntries(Object.entries(PASCAL_NAMES).map(([camel, pascal]) => [pascal, own[camel]!])),
}

/** One spelling of each event, or every hook would run twice. */
export const INSTALLED: readonly string[] = Object.keys(own).filter(
  (name) => !own[name]!.note?.startsWith('Not installed'),
)
