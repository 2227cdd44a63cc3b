/** What VS Code's agent mode does with an answer on each of its events, from its documentation. */

import type { Capability } from '../../spec/dialect.ts'
import type { Effect } from '../../spec/outcome.ts'

function can(event: string, deny: boolean, effects: readonly Effect[] = [], note?: string): Capability {
  return { event, deny, effects, ...(note ? { note } : {}) }
}

export const capabilities: Readonly<Record<string, Capability>> = {
  SessionStart: can('session_start', false, ['additional_context', 'stop']),
  UserPromptSubmit: can('before_agent', true, ['stop']),
  PreToolUse: can('before_tool', true, ['ask', 'updated_input', 'additional_context', 'stop']),
  PostToolUse: can('after_tool', true, ['additional_context', 'stop']),
  Stop: can('before_stop', true, ['stop']),
  SubagentStart: can('subagent_start', false, ['additional_context', 'stop']),
  SubagentStop: can('subagent_stop', true, ['stop']),
  PreCompact: can('pre_compact', false, ['stop']),
}
