/** What Kiro does with an answer on each trigger of its hook files, from its documentation. */

import type { Capability } from '../../spec/dialect.ts'
import type { Effect } from '../../spec/outcome.ts'

const CONTEXT: readonly Effect[] = ['additional_context']

function can(event: string, deny: boolean, effects: readonly Effect[] = [], note?: string): Capability {
  return { event, deny, effects, ...(note ? { note } : {}) }
}

export const capabilities: Readonly<Record<string, Capability>> = {
  SessionStart: can('session_start', false, CONTEXT),
  UserPromptSubmit: can('before_agent', true, CONTEXT),
  PreToolUse: can('before_tool', true, CONTEXT, 'An ask and a rewritten input become a deny.'),
  PostToolUse: can('after_tool', false, CONTEXT),
  Stop: can('before_stop', false, [], 'A hook cannot make it go on.'),
  PostFileSave: can('file_changed', false, [], 'In the editor only.'),
  PostFileCreate: can('file_changed', false, [], 'In the editor only.'),
  PostFileDelete: can('file_changed', false, [], 'In the editor only.'),
  PreTaskExec: can('task_created', false),
  PostTaskExec: can('task_completed', false),
  Manual: can('kiro/Manual', false, [], 'Not installed: a person starts it.'),
}

/** What older editions do not know is left out: file and task triggers belong to the editor. */
export const INSTALLED: readonly string[] = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'Stop',
]
