/** What Qwen Code does with an answer on each of its events. Tested with the version in index.ts unless the note says otherwise. */

import type { Capability, HttpHooks } from '../../spec/dialect.ts'
import type { Effect } from '../../spec/outcome.ts'

const IGNORED = 'Every answer is ignored.'
const UNKNOWN = 'What an answer does is not established.'
const NOT_INSTALLED = 'Not installed: '

function can(event: string, deny: boolean, effects: readonly Effect[] = [], note?: string): Capability {
  return { event, deny, effects, ...(note ? { note } : {}) }
}

export const capabilities: Readonly<Record<string, Capability>> = {
  SessionStart: can(
    'session_start',
    false,
    ['additional_context'],
    'Context becomes part of the system prompt.',
  ),
  SessionEnd: can('session_end', false, [], `${IGNORED} Does not fire headless.`),
  SessionDelete: can('qwen-code/SessionDelete', false, [], UNKNOWN),
  InstructionsLoaded: can('instructions_loaded', false, [], IGNORED),
  Notification: can('notification', false, [], IGNORED),
  UserPromptSubmit: can(
    'before_agent',
    true,
    ['additional_context', 'stop'],
    'The reason of a deny is not shown. The prompt cannot be rewritten.',
  ),
  UserPromptExpansion: can('qwen-code/UserPromptExpansion', false, [], UNKNOWN),
  PreToolUse: can(
    'before_tool',
    true,
    [],
    'The input cannot be rewritten and context is dropped. Fires after the permission question, so an ask is a deny.',
  ),
  PostToolUse: can(
    'after_tool',
    true,
    ['updated_output', 'additional_context'],
    'A deny is told to the model as context beside the output. The turn cannot be stopped.',
  ),
  PostToolUseFailure: can('after_tool_failure', false, [], UNKNOWN),
  PostToolBatch: can(
    'qwen-code/PostToolBatch',
    true,
    ['additional_context'],
    'A deny takes the place of every result of the batch.',
  ),
  MessageDisplay: can(
    'qwen-code/MessageDisplay',
    false,
    [],
    `${NOT_INSTALLED}it fires for every piece of text on the screen.`,
  ),
  PermissionRequest: can(
    'permission_request',
    true,
    ['ask', 'updated_input'],
    'Interactive only; a deny by documentation. An ask leaves the question to the person.',
  ),
  PermissionDenied: can('permission_denied', false, [], UNKNOWN),
  Stop: can('before_stop', true, ['stop'], 'At most 8 continuations in a row.'),
  StopFailure: can('stop_failure', false, [], `${IGNORED} Does not fire headless.`),
  SubagentStart: can('subagent_start', false, ['additional_context'], 'By documentation.'),
  SubagentStop: can('subagent_stop', true, ['stop'], 'By documentation.'),
  PreCompact: can('pre_compact', false, [], UNKNOWN),
  PostCompact: can('post_compact', false, [], IGNORED),
  TodoCreated: can(
    'task_created',
    false,
    [],
    `Fires twice, before and after the list is written. ${UNKNOWN}`,
  ),
  TodoCompleted: can(
    'task_completed',
    false,
    [],
    `Fires twice, before and after the list is written. ${UNKNOWN}`,
  ),
}

/** Events that cost too much to listen to. */
export const NEVER_INSTALLED: readonly string[] = Object.keys(capabilities).filter((name) =>
  capabilities[name]!.note?.startsWith(NOT_INSTALLED),
)

/** Texts in an answer over HTTP are cut after 10,000 characters: events that give the model something to read stay commands. */
const isCut = ({ effects }: Capability) =>
  effects.includes('additional_context') || effects.includes('updated_output')

export const http: HttpHooks = {
  except: Object.fromEntries(
    Object.keys(capabilities)
      .filter((name) => isCut(capabilities[name]!))
      .map((name) => [name, 'Over HTTP a text for the model is cut after 10,000 characters.']),
  ),
  unanswered:
    'Over HTTP, Qwen Code goes on when nobody answers. Before each request to the model its command on UserPromptSubmit starts the daemon when it is not there, and refuses the prompt when that fails.',
}
