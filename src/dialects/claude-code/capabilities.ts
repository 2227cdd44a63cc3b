/** What Claude Code does with an answer on each of its events. Tested with the version in index.ts unless the note says otherwise. */

import type { Capability, HttpHooks } from '../../spec/dialect.ts'
import type { Effect } from '../../spec/outcome.ts'

const CONTEXT: readonly Effect[] = ['additional_context']

function can(event: string, deny: boolean, effects: readonly Effect[] = [], note?: string): Capability {
  return { event, deny, effects, ...(note ? { note } : {}) }
}

const IGNORED = 'Every answer is ignored.'
const NOT_INSTALLED = 'Not installed: '

export const capabilities: Readonly<Record<string, Capability>> = {
  Setup: can('setup', false, [], IGNORED),
  SessionStart: can(
    'session_start',
    false,
    ['additional_context', 'initial_user_message', 'watch_paths'],
    'A deny and a stop are ignored.',
  ),
  SessionEnd: can('session_end', false, [], IGNORED),
  UserPromptSubmit: can(
    'before_agent',
    true,
    ['additional_context', 'stop'],
    'The prompt cannot be rewritten. Also fires for turns that no person started (`<task-notification>`).',
  ),
  UserPromptExpansion: can('claude-code/UserPromptExpansion', true, CONTEXT),
  PreToolUse: can(
    'before_tool',
    true,
    ['ask', 'updated_input', 'additional_context', 'stop'],
    'Headless, an ask is a deny with its reason.',
  ),
  PostToolUse: can(
    'after_tool',
    true,
    ['updated_output', 'additional_context', 'stop'],
    'A replaced output must have the shape of the tool; a text is put where the tool keeps its own (Bash, Read, MCP tools), and is context elsewhere.',
  ),
  PostToolUseFailure: can(
    'after_tool_failure',
    true,
    CONTEXT,
    'Does not fire for refused calls and invalid inputs.',
  ),
  PostToolBatch: {
    ...can('claude-code/PostToolBatch', true, ['additional_context', 'stop'], 'A deny ends the turn.'),
    denyEndsTurn: true,
  },
  PermissionRequest: can(
    'permission_request',
    true,
    ['ask', 'updated_input', 'updated_permissions', 'stop'],
    'An ask leaves the question to the person; headless that is a refusal without the reason.',
  ),
  PermissionDenied: can('permission_denied', false, ['retry'], 'Fires in auto mode only.'),
  Stop: can(
    'before_stop',
    true,
    ['additional_context', 'stop'],
    'At most 8 continuations in a row. Context alone makes it go on, too.',
  ),
  StopFailure: can('stop_failure', false, [], `${IGNORED} Headless it is not waited for.`),
  SubagentStart: can('subagent_start', false, CONTEXT),
  SubagentStop: can(
    'subagent_stop',
    true,
    ['additional_context', 'stop'],
    'A stop ends the subagent only. Also fires, without a type, for the fork that compacts.',
  ),
  TeammateIdle: can('teammate_idle', true, [], 'By documentation.'),
  TaskCreated: can('task_created', true),
  TaskCompleted: can('task_completed', true),
  PreCompact: can('pre_compact', true, CONTEXT, 'Context becomes instructions for the summary.'),
  PostCompact: can('post_compact', false, [], IGNORED),
  PreModelSwitch: can('claude-code/PreModelSwitch', true),
  PostModelSwitch: can('claude-code/PostModelSwitch', false),
  Notification: can('notification', false, [], IGNORED),
  Elicitation: can('elicitation', true, ['updated_output'], 'A deny declines.'),
  ElicitationResult: can(
    'elicitation_result',
    false,
    [],
    'Whether an answer changes anything is not established.',
  ),
  ConfigChange: can('config_change', true),
  InstructionsLoaded: can('instructions_loaded', false, [], IGNORED),
  CwdChanged: can('cwd_changed', false, ['watch_paths']),
  FileChanged: can(
    'file_changed',
    false,
    ['watch_paths'],
    'Only for files that a matcher or `watch_paths` names.',
  ),
  DirectoryAdded: can('claude-code/DirectoryAdded', false),
  WorktreeCreate: can(
    'worktree_create',
    true,
    ['updated_output'],
    `${NOT_INSTALLED}a hook here takes the place of git.`,
  ),
  WorktreeRemove: can('worktree_remove', false, [], `${NOT_INSTALLED}a hook here takes the place of git.`),
  MessageDisplay: can(
    'claude-code/MessageDisplay',
    false,
    ['updated_output'],
    `${NOT_INSTALLED}it fires for every piece of text on the screen, and changes what \`claude -p\` prints.`,
  ),
}

/** Events that get no entry, because a hook on them would cost too much or change the agent's behaviour. */
export const NEVER_INSTALLED: readonly string[] = Object.keys(capabilities).filter((name) =>
  capabilities[name]!.note?.startsWith(NOT_INSTALLED),
)

const NOT_CALLED = 'Claude Code calls no URL here.'

export const http: HttpHooks = {
  except: {
    Setup: NOT_CALLED,
    SessionStart: NOT_CALLED,
    UserPromptSubmit: 'Sees to it that the daemon is there before each prompt.',
    PreCompact: 'Instructions for the summary are plain text, and over HTTP only JSON counts.',
    TeammateIdle: 'Only an exit code stops it.',
    WorktreeCreate: 'The answer is plain text.',
  },
  unanswered:
    'Over HTTP, what nobody answers for is refused (`onFailure`); it may still stop, end a subagent or complete a task.',
}
