/** What Windsurf does with an answer on each of its events, from its documentation. */

import type { Capability } from '../../spec/dialect.ts'

function can(event: string, deny = false, note?: string): Capability {
  return { event, deny, effects: [], ...(note ? { note } : {}) }
}

const BRAKE = 'A deny is all that it takes: an ask and a rewritten input become one, context is dropped.'

export const capabilities: Readonly<Record<string, Capability>> = {
  pre_user_prompt: can('before_agent', true),
  pre_run_command: can('before_tool', true, BRAKE),
  pre_write_code: can('before_tool', true, BRAKE),
  pre_read_code: can('before_tool', true, BRAKE),
  pre_mcp_tool_use: can('before_tool', true, BRAKE),
  post_run_command: can('after_tool'),
  post_write_code: can('after_tool'),
  post_read_code: can('after_tool'),
  post_mcp_tool_use: can('after_tool'),
  post_cascade_response: can('after_agent', false, 'Not waited for.'),
  post_cascade_response_with_transcript: can(
    'windsurf/post_cascade_response_with_transcript',
    false,
    'Not installed: it is the same response, and makes Windsurf write a transcript.',
  ),
  post_setup_worktree: can('worktree_create'),
}

export const INSTALLED: readonly string[] = Object.keys(capabilities).filter(
  (name) => !capabilities[name]!.note?.startsWith('Not installed'),
)
