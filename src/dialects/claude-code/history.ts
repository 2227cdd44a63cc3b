/** Claude Code's transcripts: `projects/<folder>/<session>.jsonl`, those of subagents in folders beside them. */

import { join } from 'node:path'
import type { History, Recorded } from '../../spec/history.ts'
import { isRecord, plainText, string } from '../lib/payload.ts'
import { turnFacts } from '../lib/turn-facts.ts'

export const history: History = {
  event: 'PreToolUse',
  places: ({ home, env }) => [
    {
      folder: join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'projects'),
      files: /\.jsonl$/,
      kind: 'lines',
    },
  ],
  recognises: ({ type, sessionId, uuid, message }) =>
    (typeof sessionId === 'string' || typeof uuid === 'string') &&
    (type === 'user' || type === 'assistant') &&
    isRecord(message) &&
    'content' in message,
  // Skips messages of subagents, and those that Claude Code writes itself, such as errors.
  turn: ({ type, message, isSidechain }) =>
    type === 'assistant' && isSidechain !== true && isRecord(message) && message.model !== '<synthetic>'
      ? turnFacts(message.model, message.usage, TOKENS)
      : undefined,
  reader: () => ({ read }),
}

const TOKENS = {
  prompt: ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'],
  completion: ['output_tokens'],
}

function* read(record: Record<string, unknown>): Generator<Recorded> {
  const { type, message } = record
  if ((type !== 'assistant' && type !== 'user') || !isRecord(message) || !Array.isArray(message.content))
    return
  for (const part of message.content as unknown[]) {
    if (!isRecord(part)) continue
    if (type === 'assistant' && part.type === 'tool_use') yield call(record, part)
    else if (type === 'user' && part.type === 'tool_result')
      yield { ended: string(part.tool_use_id) ?? '', how: howItEnded(record, part) }
  }
}

function call(record: Record<string, unknown>, part: Record<string, unknown>): Recorded {
  const { sessionId, cwd, agentId, timestamp } = record
  return {
    call: string(part.id) ?? '',
    payload: {
      session_id: sessionId,
      cwd,
      hook_event_name: history.event,
      tool_name: part.name,
      tool_input: withDefaults(part.name, part.input),
      tool_use_id: part.id,
      ...(typeof agentId === 'string' ? { agent_id: agentId } : {}),
    },
    ...(typeof timestamp === 'string' ? { at: timestamp } : {}),
  }
}

/** Adds the defaults that Claude Code fills in before it calls hooks. */
function withDefaults(tool: unknown, input: unknown): unknown {
  if (tool !== 'Edit' || !isRecord(input)) return input
  const { replace_all = false, ...rest } = input
  return { ...rest, replace_all }
}

/** Before 2.1.300 a refusal is recognised only by the text of the result. */
const REFUSED =
  /^(?:PreToolUse:\S+ hook |The user doesn't want to |Permission to use |Hook PreToolUse)|hook returned blocking error/

function howItEnded(
  record: Record<string, unknown>,
  part: Record<string, unknown>,
): 'ran' | 'failed' | 'refused' {
  if (typeof record.toolDenialKind === 'string') return 'refused'
  if (part.is_error !== true) return 'ran'
  return REFUSED.test(plainText(part.content)) ? 'refused' : 'failed'
}
