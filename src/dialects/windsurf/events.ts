/** Windsurf's events: payload → canonical event, and canonical event → payload for hooks written for it. */

import { eventRow, type HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { parseMcpName, toCanonicalTool, toNativeInput } from '../../spec/tool.ts'
import {
  type EventMap,
  type Hint,
  ownPayload,
  type Payload,
  plainText,
  record,
  string,
} from '../lib/payload.ts'
import { MCP, mcpCall, toolOf, tools } from './tools.ts'

export const ID = 'windsurf'

export const events: EventMap = {
  pre_user_prompt: { event: 'before_agent' },
  pre_run_command: { event: 'before_tool' },
  pre_write_code: { event: 'before_tool' },
  pre_read_code: { event: 'before_tool' },
  pre_mcp_tool_use: { event: 'before_tool' },
  post_run_command: { event: 'after_tool' },
  post_write_code: { event: 'after_tool' },
  post_read_code: { event: 'after_tool' },
  post_mcp_tool_use: { event: 'after_tool' },
  post_cascade_response: { event: 'after_agent' },
  post_cascade_response_with_transcript: {},
  post_setup_worktree: { event: 'worktree_create' },
}

export function decode(native: unknown, hint: Hint): HookEvent {
  const payload = record(native)
  const name = string(payload.agent_action_name) ?? hint.event ?? 'unknown'
  const info = record(payload.tool_info)
  const type = (Object.hasOwn(events, name) ? events[name]!.event : undefined) ?? `${ID}/${name}`
  const event: HookEvent = {
    event_type: type,
    timestamp: string(payload.timestamp) ?? new Date().toISOString(),
    session_id: string(payload.trajectory_id) ?? '',
    work_dir: string(info.cwd) ?? string(info.root_workspace_path) ?? hint.cwd,
    context: { ...(string(payload.execution_id) ? { execution_id: payload.execution_id } : {}) },
    agent: ID,
    native_event: name,
    native,
  }
  if (eventRow(type).tool) return Object.assign(event, toolFields(name, info))
  if (type === 'before_agent') event.prompt = string(info.user_prompt) ?? ''
  else if (type === 'after_agent') event.response = plainText(info.response)
  else if (type === 'worktree_create') event.path = string(info.worktree_path) ?? ''
  else event.tool_info = info
  return event
}

function toolFields(name: string, info: Record<string, unknown>): Record<string, unknown> {
  const tool = toolOf(name) ?? name
  const { mcp_result, output, ...input } = info
  const call = tool === MCP ? mcpCall(input) : toCanonicalTool(tools, tool, input)
  const result = mcp_result ?? output
  return {
    native_tool_name: tool,
    tool_name: call.name,
    tool_input: call.input,
    ...(name.startsWith('post_') ? { tool_output: result ?? '' } : {}),
  }
}

export function encode(event: HookEvent, hook: Hook): HookInput {
  const name = hook.native_event ?? event.native_event ?? ''
  const payload = ownPayload(ID, event, name) ?? payloadOf(event, name)
  return { text: JSON.stringify(payload), value: payload }
}

function payloadOf(event: HookEvent, name: string): Payload {
  return {
    agent_action_name: name,
    trajectory_id: event.session_id,
    execution_id: string(event.context?.execution_id) ?? '',
    timestamp: event.timestamp,
    tool_info: infoOf(event, name),
  }
}

function infoOf(event: HookEvent, name: string): Record<string, unknown> {
  if (event.event_type === 'before_agent') return { user_prompt: plainText(event.prompt) }
  if (event.event_type === 'after_agent') return { response: plainText(event.response) }
  if (event.event_type === 'worktree_create')
    return { worktree_path: event.path, root_workspace_path: event.work_dir }
  const tool = toolOf(name)
  const input = record(event.tool_input)
  if (tool === MCP) {
    const { server, tool: called } = parseMcpName(String(event.tool_name)) ?? {
      server: '',
      tool: event.tool_name,
    }
    return {
      mcp_server_name: server,
      mcp_tool_name: called,
      mcp_tool_arguments: input,
      ...resultOf(event, 'mcp_result'),
    }
  }
  if (tool === 'run_command')
    return { command_line: input.command, cwd: event.work_dir, ...resultOf(event, 'output') }
  if (tool === 'write_code') return { file_path: input.path, edits: editsOf(input) }
  return toNativeInput(tools, tool ?? '', input)
}

function resultOf(event: HookEvent, member: string): Record<string, unknown> {
  return event.tool_output === undefined ? {} : { [member]: plainText(event.tool_output) }
}

/** A whole file is one edit of nothing. */
function editsOf(input: Record<string, unknown>): unknown {
  if (Array.isArray(input.edits)) return input.edits
  return [{ old_string: input.old_string ?? '', new_string: input.new_string ?? input.content ?? '' }]
}
