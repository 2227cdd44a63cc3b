/** What Kimi Code does with an answer on each of its events. Tested with the version in index.ts. */

import type { Capability } from '../../spec/dialect.ts'
import type { Effect } from '../../spec/outcome.ts'

const IGNORED = 'Every answer is ignored.'
const NOT_INSTALLED = 'Not installed: versions that do not know it drop every hook. '

function can(event: string, deny: boolean, effects: readonly Effect[] = [], note?: string): Capability {
  return { event, deny, effects, ...(note ? { note } : {}) }
}

export const capabilities: Readonly<Record<string, Capability>> = {
  PreToolUse: can('before_tool', true, [], 'The input cannot be rewritten and context is dropped.'),
  PostToolUse: can('after_tool', false, [], `${IGNORED} It is not waited for, and may be lost.`),
  PostToolUseFailure: can(
    'after_tool_failure',
    false,
    [],
    `${IGNORED} Also fires for calls that were refused.`,
  ),
  PermissionRequest: can('permission_request', false, [], NOT_INSTALLED + IGNORED),
  PermissionResult: can('permission_granted', false, [], NOT_INSTALLED + IGNORED),
  UserPromptSubmit: can(
    'before_agent',
    true,
    ['additional_context'],
    'A refused prompt stays in the history and is sent with the next one.',
  ),
  UserPromptQueued: can('kimi-code/UserPromptQueued', false, [], NOT_INSTALLED + IGNORED),
  TurnStarted: can('kimi-code/TurnStarted', false, [], NOT_INSTALLED + IGNORED),
  Stop: can(
    'before_stop',
    true,
    [],
    'Once a turn: at the second stop no hook is run. Fires in subagents, too, and does not say so.',
  ),
  StopFailure: can('stop_failure', false, [], IGNORED),
  Interrupt: can('kimi-code/Interrupt', false, [], NOT_INSTALLED + IGNORED),
  SessionStart: can('session_start', false, [], IGNORED),
  SessionEnd: can('session_end', false, [], `${IGNORED} Does not fire after \`kimi -p\`.`),
  SessionHeartbeat: can('kimi-code/SessionHeartbeat', false, [], NOT_INSTALLED + IGNORED),
  SubagentStart: can('subagent_start', false, [], IGNORED),
  SubagentStop: can('subagent_stop', false, [], IGNORED),
  TaskStarted: can('kimi-code/TaskStarted', false, [], NOT_INSTALLED + IGNORED),
  PreCompact: can('pre_compact', false, [], IGNORED),
  PostCompact: can('post_compact', false, [], IGNORED),
  Notification: can('notification', false, [], IGNORED),
}

/** Kimi Code drops all hooks when one entry has an unknown event, so only events that all versions know are added. */
export const NEVER_INSTALLED: readonly string[] = Object.keys(capabilities).filter((name) =>
  capabilities[name]!.note?.startsWith(NOT_INSTALLED),
)
