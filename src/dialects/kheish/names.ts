/** Kheish's names: its 27 events, its tools, and what each event does with a block. */

import type { ToolTable } from '../../spec/tool.ts'

interface Row {
  /** The canonical event. */
  event: string
  /** Hooks run one after another and a block stops the rest; the others are observers that run together. */
  policy?: true
  /** What Kheish calls the subject when it has only one word for it. */
  subject?: string
  /** What is said when a hook blocks without a reason. */
  blocked?: string
}

/** In the order in which Kheish declares and writes them. */
export const EVENTS = {
  pre_tool_use: { event: 'before_tool', policy: true, blocked: 'tool execution blocked by hook' },
  post_tool_use: { event: 'after_tool', policy: true, blocked: 'tool continuation blocked by hook' },
  post_tool_use_failure: {
    event: 'after_tool_failure',
    policy: true,
    blocked: 'tool failure continuation blocked by hook',
  },
  permission_request: { event: 'permission_request', policy: true, blocked: 'permission denied by hook' },
  permission_denied: { event: 'permission_denied' },
  setup: { event: 'setup', policy: true, subject: 'init' },
  session_start: { event: 'session_start', policy: true, subject: 'startup' },
  session_end: { event: 'session_end' },
  stop: { event: 'before_stop', policy: true, subject: 'completed' },
  stop_failure: { event: 'stop_failure' },
  user_prompt_submit: { event: 'before_agent', policy: true },
  pre_compact: { event: 'pre_compact', policy: true },
  post_compact: { event: 'post_compact' },
  subagent_start: { event: 'subagent_start', policy: true },
  subagent_stop: { event: 'subagent_stop' },
  teammate_idle: { event: 'teammate_idle' },
  task_created: { event: 'task_created' },
  task_completed: { event: 'task_completed' },
  elicitation: { event: 'elicitation' },
  elicitation_result: { event: 'elicitation_result' },
  config_change: { event: 'config_change', policy: true },
  worktree_create: { event: 'worktree_create', policy: true },
  worktree_remove: { event: 'worktree_remove' },
  file_changed: { event: 'file_changed' },
  instructions_loaded: { event: 'instructions_loaded', policy: true },
  notification: { event: 'notification' },
  cwd_changed: { event: 'cwd_changed' },
} as const satisfies Record<string, Row>

export type KheishEvent = keyof typeof EVENTS
export const EVENT_NAMES = Object.keys(EVENTS) as KheishEvent[]

export function isEvent(name: string): name is KheishEvent {
  return Object.hasOwn(EVENTS, name)
}

export function eventInfo(name: KheishEvent): Row {
  return EVENTS[name]
}

export const TOOLS: ToolTable = {
  bash: { name: 'Shell' },
  read_file: { name: 'ReadFile' },
  write_file: { name: 'WriteFile' },
  edit_file: { name: 'EditFile', fields: { old_text: 'old_string', new_text: 'new_string' } },
  apply_patch: { name: 'EditFile', fields: { hunks: 'edits' } },
  list_files: { name: 'ListFolder', fields: { base: 'path' } },
  glob_search: { name: 'FindFiles', fields: { base: 'path' } },
  grep_search: { name: 'Search', fields: { base: 'path' } },
  web_fetch: { name: 'WebFetch' },
  web_search: { name: 'WebSearch' },
}
