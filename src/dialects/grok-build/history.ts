/** Grok Build's transcripts: `sessions/<folder>/<session>/updates.jsonl`, one for each subagent too. */

import { basename, dirname, join } from 'node:path'
import type { History, Recorded, TranscriptFile, TranscriptReader } from '../../spec/history.ts'
import { record, string } from '../lib/payload.ts'
import { turnFacts } from '../lib/turn-facts.ts'

export const history: History = {
  event: 'PreToolUse',
  places: ({ home, env }) => [
    {
      folder: join(env.GROK_HOME || join(home, '.grok'), 'sessions'),
      files: /(?:^|\/)updates\.jsonl$/,
      kind: 'lines',
    },
  ],
  recognises: ({ method, params }) =>
    typeof method === 'string' &&
    method.endsWith('session/update') &&
    record(record(params).update).sessionUpdate !== undefined,
  turn({ params: given }) {
    const params = record(given)
    const { modelId } = record(record(params.update)._meta)
    const total = record(params._meta).totalTokens
    // The transcript has one number for prompt and answer; nearly all of it is the prompt.
    return turnFacts(modelId, { total }, { prompt: ['total'], completion: [] })
  },
  reader,
}

function reader({ path, text }: TranscriptFile): TranscriptReader {
  const fallback = basename(dirname(path))
  let cwd: unknown
  return {
    *read({ params: given }) {
      const params = record(given)
      const update = record(params.update)
      cwd ??= cwdOf(text('summary.json'))
      const session = string(params.sessionId) ?? fallback
      if (update.sessionUpdate === 'tool_call') yield call(update, session, cwd, record(params._meta))
      const end = endOf(update)
      if (end) yield end
    },
  }
}

function cwdOf(summary: string | undefined): unknown {
  try {
    return record(record(JSON.parse(summary ?? '{}')).info).cwd ?? ''
  } catch {
    return '' // still being written; the calls are known without it
  }
}

function call(
  update: Record<string, unknown>,
  session: string,
  cwd: unknown,
  meta: Record<string, unknown>,
): Recorded {
  const tool = record(record(update._meta)['x.ai/tool'])
  return {
    call: string(update.toolCallId) ?? '',
    payload: {
      session_id: session,
      cwd,
      hook_event_name: history.event,
      tool_name: string(tool.name) ?? update.title,
      tool_input: update.rawInput,
      tool_use_id: update.toolCallId,
    },
    ...(typeof meta.agentTimestampMs === 'number'
      ? { at: new Date(meta.agentTimestampMs).toISOString() }
      : {}),
  }
}

const DENIED = /^(?:Hook denied|Permission denied|User rejected)/

function endOf(update: Record<string, unknown>): Recorded | undefined {
  if (update.sessionUpdate !== 'tool_call_update') return undefined
  const ended = string(update.toolCallId) ?? ''
  if (update.status === 'completed') return { ended, how: 'ran' }
  if (update.status !== 'failed') return undefined
  return { ended, how: DENIED.test(saidOf(update)) ? 'refused' : 'failed' }
}

function saidOf({ content, rawOutput }: Record<string, unknown>): string {
  const [first] = Array.isArray(content) ? content : []
  return string(record(record(first).content).text) ?? string(rawOutput) ?? ''
}
