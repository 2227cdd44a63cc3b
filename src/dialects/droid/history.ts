/** Droid's transcripts: `sessions/<folder>/<session>.jsonl`, one for each subagent too. */

import { basename, join } from 'node:path'
import type { History, Recorded, TranscriptFile, TranscriptReader } from '../../spec/history.ts'
import { isRecord, record, string } from '../lib/payload.ts'
import { turnFacts } from '../lib/turn-facts.ts'

export const history: History = {
  event: 'PreToolUse',
  places: ({ home }) => [{ folder: join(home, '.factory/sessions'), files: /\.jsonl$/, kind: 'lines' }],
  recognises: ({ type, id, cwd, hostId, owner }) =>
    type === 'session_start' &&
    typeof id === 'string' &&
    typeof cwd === 'string' &&
    (hostId !== undefined || owner !== undefined),
  // Its transcripts have no token counts.
  turn: ({ type, message }) =>
    type === 'message' ? turnFacts(record(message).modelId, undefined, NO_TOKENS) : undefined,
  reader,
}

const NO_TOKENS = { prompt: [], completion: [] }

function reader({ path }: TranscriptFile): TranscriptReader {
  let session = basename(path, '.jsonl')
  let cwd: unknown
  return {
    *read(entry) {
      if (entry.type === 'session_start') {
        session = string(entry.id) ?? session
        cwd = entry.cwd ?? cwd
      }
      const { content } = record(entry.message)
      if (entry.type !== 'message' || !Array.isArray(content)) return
      for (const part of content as unknown[]) {
        if (!isRecord(part)) continue
        if (part.type === 'tool_use') yield call(part, session, cwd, entry.timestamp)
        else if (part.type === 'tool_result')
          yield { ended: string(part.tool_use_id) ?? '', how: part.is_error === true ? 'failed' : 'ran' }
      }
    },
  }
}

function call(part: Record<string, unknown>, session: string, cwd: unknown, timestamp: unknown): Recorded {
  return {
    call: string(part.id) ?? '',
    payload: {
      session_id: session,
      cwd,
      hook_event_name: history.event,
      tool_name: part.name,
      tool_input: part.input,
    },
    ...(typeof timestamp === 'string' ? { at: timestamp } : {}),
  }
}
