/** Codex's transcripts: rollouts, one file for each thread; those of subagents name the session that began them. */

import { join } from 'node:path'
import type { History, Recorded, TranscriptReader } from '../../spec/history.ts'
import { isRecord, plainText, record, string } from '../lib/payload.ts'
import { turnFacts } from '../lib/turn-facts.ts'
import { afterSpace, literalAt } from './literal.ts'

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
  turn({ type, payload: given }) {
    const { model, type: kind, info } = record(given)
    if (type === 'turn_context') return turnFacts(model, undefined, TOKENS)
    if (type !== 'event_msg' || kind !== 'token_count') return undefined
    const { last_token_usage, model_context_window: limit } = record(info)
    const facts = turnFacts(undefined, last_token_usage, TOKENS)
    return facts && typeof limit === 'number' ? { ...facts, limit } : facts
  },
  reader,
}

const TOKENS = { prompt: ['input_tokens'], completion: ['output_tokens'] }

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
      const id = string(payload.call_id) ?? string(payload.id) ?? ''
      const calls = isProgram(payload) ? callsIn(String(payload.input)) : [toolOf(payload)]
      for (const tool of calls) {
        if (!tool) continue
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
          ...(tool.lacks === undefined ? {} : { lacks: tool.lacks }),
        }
      }
    },
  }
}

interface Tool {
  name: string
  input: unknown
  lacks?: string
}

/** Newer models call one tool with a program that calls the others; hooks get the calls of the program. */
function isProgram({ type, name }: Record<string, unknown>): boolean {
  return type === 'custom_tool_call' && name === 'exec'
}

/** In characters. */
const MAX_PROGRAM_CHARS = 1024 * 1024

/** The calls with literal inputs in the program. Of calls with computed inputs only the fact is known. */
function callsIn(program: string): Tool[] {
  const found: Tool[] = []
  for (const { index, 0: start, 1: name = '' } of program
    .slice(0, MAX_PROGRAM_CHARS)
    .matchAll(/\btools\.(\w+)\s*\(/g)) {
    const input = literalAt(program, index + start.length)
    const isWhole = input !== undefined && program[afterSpace(program, input.end)] === ')'
    if (isWhole) found.push(nested(name, input.value))
    else
      found.push({
        name: nested(name, {}).name,
        input: {},
        lacks: 'a program of the model computes its input',
      })
  }
  return found
}

function nested(name: string, input: unknown): Tool {
  return typeof input === 'string' ? { name, input: { command: input } } : direct(name, input)
}

/** The tool as hook payloads name it. */
function toolOf(item: Record<string, unknown>): Tool | undefined {
  const name = string(item.name) ?? ''
  if (item.type === 'local_shell_call')
    return { name: 'Bash', input: { command: lineOf(record(item.action).command) } }
  if (item.type === 'custom_tool_call') return { name, input: { command: item.input } }
  if (item.type !== 'function_call') return undefined
  return direct(name, argumentsOf(item.arguments), string(item.namespace))
}

function direct(name: string, input: unknown, namespace = ''): Tool {
  if (name === 'exec_command' || name === 'shell_command' || name === 'shell' || name === 'container.exec')
    return { name: 'Bash', input: { command: lineOf(record(input).cmd ?? record(input).command) } }
  return { name: name === 'spawn_agent' && namespace === 'multi_agent_v1' ? name : namespace + name, input }
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
