/** Gemini CLI's events: payload → canonical event, and canonical event → payload for hooks written for it. */

import type { HookEvent } from '../../spec/event.ts'
import type { HookInput } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { parseMcpName } from '../../spec/tool.ts'
import {
  decoder,
  type EventMap,
  encodeEvent,
  isRecord,
  outputText,
  type Payload,
  plainText,
  record,
  string,
  type Words,
} from '../lib/payload.ts'
import { canonicalToolName, nativeToolName, tools } from './tools.ts'

export const ID = 'gemini-cli'

export const events: EventMap = {
  SessionStart: { event: 'session_start' },
  SessionEnd: { event: 'session_end', fields: { reason: 'exit_reason' } },
  BeforeAgent: { event: 'before_agent' },
  AfterAgent: { event: 'before_stop', decode: stopFields, encode: encodeStop },
  BeforeModel: { event: 'before_model', decode: modelFields, encode: encodeModel },
  BeforeToolSelection: {
    event: 'before_tool_selection',
    decode: ({ llm_request }) => ({ request: llm_request }),
    encode: encodeModel,
  },
  AfterModel: {
    event: 'after_model',
    decode: (payload) => ({
      ...modelFields(payload),
      response: payload.llm_response,
      ...(isRecord(record(payload.llm_response).usageMetadata)
        ? { usage: record(payload.llm_response).usageMetadata }
        : {}),
    }),
    encode: (event) => ({ ...encodeModel(event), llm_response: modelResponse(event.response) }),
  },
  BeforeTool: { event: 'before_tool', encode: mcpContext },
  AfterTool: {
    event: 'after_tool',
    also: ['after_tool_failure'],
    fields: { tool_response: 'tool_output' },
    decode: failedTool,
    encode: (event) => ({ ...mcpContext(event), tool_response: toolResponse(event) }),
  },
  PreCompress: { event: 'pre_compact' },
  Notification: { event: 'notification' },
}

export const words: Words = {
  id: ID,
  map: events,
  tools,
  base: { timestamp: 'timestamp', call_id: '' },
  toolName: canonicalToolName,
  nativeToolName,
}

export const decode = decoder(words)

export function encode(event: HookEvent, hook: Hook): HookInput {
  const payload = encodeEvent(words, event, hook.native_event)
  if (payload !== event.native) payload.transcript_path ??= string(event.context?.transcript_path) ?? ''
  return {
    text: JSON.stringify(payload),
    value: payload,
    env: {
      GEMINI_PROJECT_DIR: event.work_dir,
      GEMINI_CWD: event.work_dir,
      GEMINI_SESSION_ID: event.session_id,
      CLAUDE_PROJECT_DIR: event.work_dir,
    },
  }
}

function stopFields(payload: Payload): Record<string, unknown> {
  const text = string(payload.prompt_response)
  return {
    stop_reason: 'no_tool_calls',
    final_message: text === undefined ? null : { role: 'assistant', content: text },
  }
}

function encodeStop(event: HookEvent): Record<string, unknown> {
  return {
    prompt: string(event.context?.prompt) ?? '',
    prompt_response: plainText(event.final_message),
    stop_hook_active: event.context?.stop_hook_active === true,
  }
}

function modelFields({ llm_request }: Payload): Record<string, unknown> {
  const request = record(llm_request)
  const messages = Array.isArray(request.messages) ? request.messages : []
  const last = messages.findLast((message) => record(message).role === 'user')
  return {
    request: llm_request,
    ...(string(request.model) ? { model: request.model } : {}),
    ...(last ? { prompt: plainText(record(last).content) } : {}),
  }
}

function encodeModel(event: HookEvent): Record<string, unknown> {
  const request = isRecord(event.request) && Array.isArray(event.request.messages) ? event.request : undefined
  return {
    llm_request: request ?? {
      model: string(event.model) ?? '',
      messages: [{ role: 'user', content: string(event.prompt) ?? '' }],
      config: {},
    },
  }
}

function modelResponse(response: unknown): unknown {
  if (isRecord(response) && Array.isArray(response.candidates)) return response
  const text = outputText(response)
  return {
    text,
    candidates: [{ content: { role: 'model', parts: [text] }, finishReason: 'STOP', index: 0 }],
  }
}

function failedTool({ tool_response }: Payload): Record<string, unknown> {
  const error = record(tool_response).error
  if (error === undefined) return {}
  return { event_type: 'after_tool_failure', error: string(record(error).message) ?? plainText(error) }
}

function toolResponse(event: HookEvent): unknown {
  const output = event.tool_output
  if (isRecord(output) && 'llmContent' in output) return output
  const text = outputText(output ?? event.error)
  return {
    llmContent: text,
    returnDisplay: text,
    ...(typeof event.error === 'string' ? { error: { message: event.error } } : {}),
  }
}

function mcpContext(event: HookEvent): Record<string, unknown> {
  const found = parseMcpName(String(event.tool_name))
  return found ? { mcp_context: { server_name: found.server, tool_name: found.tool } } : {}
}
