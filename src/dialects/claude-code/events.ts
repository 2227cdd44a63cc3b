/** Claude Code's events: payload → canonical event, and canonical event → payload for hooks written for it. */

import type { HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { encodeStop, encodeSubagent, stopFields, subagentFields } from '../lib/family-events.ts'
import { verdictInput } from '../lib/model-verdict.ts'
import {
  decoder,
  type EventMap,
  encodeEvent,
  isRecord,
  plainText,
  string,
  type Words,
} from '../lib/payload.ts'
import { tools } from './tools.ts'

export const ID = 'claude-code'

export const events: EventMap = {
  Setup: { event: 'setup' },
  SessionStart: { event: 'session_start' },
  SessionEnd: { event: 'session_end', fields: { reason: 'exit_reason' } },
  UserPromptSubmit: { event: 'before_agent' },
  UserPromptExpansion: {},
  PreToolUse: { event: 'before_tool' },
  PostToolUse: {
    event: 'after_tool',
    fields: { tool_response: 'tool_output' },
    encode: (event) => ({ tool_response: toolResponse(event) }),
  },
  PostToolUseFailure: { event: 'after_tool_failure' },
  PostToolBatch: {},
  PermissionRequest: { event: 'permission_request' },
  PermissionDenied: { event: 'permission_denied' },
  Stop: { event: 'before_stop', decode: stopFields, encode: encodeStop },
  StopFailure: { event: 'stop_failure' },
  SubagentStart: { event: 'subagent_start', decode: subagentFields, encode: encodeSubagent },
  SubagentStop: {
    event: 'subagent_stop',
    fields: { last_assistant_message: 'result' },
    decode: subagentFields,
    encode: encodeSubagent,
  },
  TeammateIdle: { event: 'teammate_idle' },
  TaskCreated: { event: 'task_created' },
  TaskCompleted: { event: 'task_completed' },
  PreCompact: { event: 'pre_compact' },
  PostCompact: { event: 'post_compact', fields: { compact_summary: 'summary' } },
  PreModelSwitch: {},
  PostModelSwitch: {},
  Notification: { event: 'notification' },
  Elicitation: { event: 'elicitation', fields: { mcp_server_name: 'server' } },
  ElicitationResult: { event: 'elicitation_result', fields: { mcp_server_name: 'server' } },
  ConfigChange: { event: 'config_change', fields: { file_path: 'path' } },
  InstructionsLoaded: { event: 'instructions_loaded', fields: { file_path: 'path' } },
  CwdChanged: { event: 'cwd_changed', fields: { old_cwd: 'previous_path', new_cwd: 'path' } },
  FileChanged: { event: 'file_changed', fields: { file_path: 'path', event: 'kind' } },
  DirectoryAdded: {},
  WorktreeCreate: { event: 'worktree_create', fields: { name: 'worktree_name' } },
  WorktreeRemove: { event: 'worktree_remove', fields: { worktree_path: 'path' } },
  MessageDisplay: {},
}

export const words: Words = { id: ID, map: events, tools }

export const decode = decoder(words)

export function encode(event: HookEvent, hook: Hook, env: NodeJS.ProcessEnv): HookInput {
  const payload = encodeEvent(words, event, hook.native_event)
  if (payload !== event.native) {
    payload.transcript_path ??= string(event.context?.transcript_path) ?? ''
    payload.permission_mode ??= string(event.context?.permission_mode) ?? 'default'
  }
  const headers = headersOf(hook, env)
  return {
    text: `${JSON.stringify(payload)}\n`,
    value: payload,
    ...verdictInput(hook.run),
    env: {
      CLAUDE_PROJECT_DIR: event.work_dir,
      CLAUDE_CODE_SESSION_ID: event.session_id,
    },
    ...(headers ? { headers } : {}),
  }
}

/** Scripts look for `tool_response.stdout` after a shell command. */
function toolResponse(event: HookEvent): unknown {
  const output = event.tool_output
  if (isRecord(output) || event.tool_name !== 'Shell') return output ?? {}
  return { stdout: plainText(output), stderr: '', interrupted: false, isImage: false }
}

/** `$NAME` in a header stands for a variable only when the entry lists it. */
function headersOf(hook: Hook, env: NodeJS.ProcessEnv): Record<string, string> | undefined {
  if (hook.run.type !== 'http' || !isRecord(hook.metadata?.headers)) return undefined
  const allowed = hook.metadata.allowed_env as readonly string[]
  return Object.fromEntries(
    Object.entries(hook.metadata.headers).map(([name, value]) => [
      name,
      String(value).replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced?: string, plain?: string) => {
        const variable = (braced ?? plain)!
        return allowed.includes(variable) ? (env[variable] ?? '') : ''
      }),
    ]),
  )
}
