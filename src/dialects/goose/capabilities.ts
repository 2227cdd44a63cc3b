/** What Goose does with an answer on each of its events, from its source code. */

import type { Capability } from '../../spec/dialect.ts'

function can(event: string, deny = false, note?: string): Capability {
  return { event, deny, effects: [], ...(note ? { note } : {}) }
}

const COPY = 'Not installed: the same call is told by PreToolUse and PostToolUse.'

export const capabilities: Readonly<Record<string, Capability>> = {
  SessionStart: can('session_start'),
  SessionEnd: can('session_end'),
  UserPromptSubmit: can('before_agent'),
  PreToolUse: can('before_tool', true, 'An ask and a rewritten input become a deny; context is dropped.'),
  PostToolUse: can('after_tool'),
  PostToolUseFailure: can('after_tool_failure'),
  Stop: can('before_stop', true, 'Goose limits how often it goes on.'),
  PreToolUseResult: can('goose/PreToolUseResult', false, COPY),
  BeforeShellExecution: can('goose/BeforeShellExecution', false, COPY),
  AfterShellExecution: can('goose/AfterShellExecution', false, COPY),
  BeforeReadFile: can('goose/BeforeReadFile', false, COPY),
  AfterFileEdit: can('file_changed'),
}

export const INSTALLED: readonly string[] = Object.keys(capabilities).filter(
  (name) => capabilities[name]!.note !== COPY,
)
