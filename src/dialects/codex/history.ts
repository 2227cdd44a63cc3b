/** Codex's transcripts: rollouts, one file for each thread; those of subagents name the session that began them. */

import { join } from 'node:path'
import type { History, Recorded, TranscriptReader } from '../../spec/history.ts'
import { isRecord, plainText, record, string } from '../lib/payload.ts'

export const history: History = {
  event: 'PreToolUse',
  places: ({ home, env }) => {
    const folder = env.CODEX_HOME || join(home, '.codex')
    return ['sessions', 'archived_sessions'].map((name) => ({
      folder: join(folder, name),
      files: /(?:^|\/)rollout-[^/]*\.jsonl$/,
      kind: 'lines',
    }))
  },
  recognises: ({ type, payload }) =>
    (type === 'session_meta' || type === 'turn_context' || type === 'response_item') && isRecord(payload),
  reader,
}

function reader(): TranscriptReader {
  let session = ''
  let cwd: unknown
  return {
    *read({ type, payload: given, timestamp }) {
      const payload = record(given)
      if (type === 'session_meta') session = string(payload.session_id) ?? string(payload.id) ?? ''
      if (type === 'session_meta' || type === 'turn_context') cwd = payload.cwd ?? cwd
      if (type !== 'response_item') return
      const end = endOf(payload)
      if (end) yield end
      const tool = toolOf(payload)
      if (!tool) return
      const id = string(payload.call_id) ?? string(payload.id) ?? ''
      yield {
        call: id,
        payload: {
          session_id: session,
          cwd,
          hook_event_name: history.event,
          tool_name: tool.name,
          tool_input: tool.input,
          tool_use_id: id,
        },
        ...(typeof timestamp === 'string' ? { at: timestamp } : {}),
      }
    },
  }
}

/** The tool as hooks are told of it, whatever the model called. */
function toolOf(item: Record<string, unknown>): { name: string; input: unknown } | undefined {
  const name = string(item.name) ?? ''
  if (item.type === 'local_shell_call')
    return { name: 'Bash', input: { command: lineOf(record(item.action).command) } }
  if (item.type === 'custom_tool_call') return { name, input: { command: item.input } }
  if (item.type !== 'function_call') return undefined
  const input = argumentsOf(item.arguments)
  if (name === 'exec_command' || name === 'shell_command' || name === 'shell' || name === 'container.exec')
    return { name: 'Bash', input: { command: lineOf(record(input).cmd ?? record(input).command) } }
  if (name === 'spawn_agent') return { name, input }
  return { name: `${string(item.namespace) ?? ''}${name}`, input }
}

function argumentsOf(text: unknown): unknown {
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Older models call programs by lists: `bash -lc LINE`. */
function lineOf(command: unknown): unknown {
  if (!Array.isArray(command)) return command
  const [, flag, line] = command as unknown[]
  return command.length === 3 && flag === '-lc' ? line : command.join(' ')
}

const REFUSED = /blocked by PreToolUse hook|rejected by user|rejected: blocked by/
const FAILED = /Process exited with code [1-9]|^execution error|failed to /

function endOf({ type, call_id, output }: Record<string, unknown>): Recorded | undefined {
  if (type !== 'function_call_output' && type !== 'custom_tool_call_output') return undefined
  const text = plainText(output).slice(0, 2000)
  const how = REFUSED.test(text) ? 'refused' : FAILED.test(text) ? 'failed' : 'ran'
  return { ended: string(call_id) ?? '', how }
}
