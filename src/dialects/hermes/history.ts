/** Hermes Agent's sessions: one database for all of them, a row for each message. */

import { join } from 'node:path'
import type { History, Recorded, TranscriptReader } from '../../spec/history.ts'
import { isRecord, record, string } from '../lib/payload.ts'

const MESSAGES = `SELECT m.session_id, m.role, m.tool_call_id, m.tool_calls, substr(m.content, 1, 2000) AS content,
m.timestamp, s.cwd FROM messages m JOIN sessions s ON s.id = m.session_id
WHERE m.timestamp * 1000 >= $since AND (m.tool_calls IS NOT NULL OR m.role = 'tool') ORDER BY m.id`

export const history: History = {
  event: 'pre_tool_call',
  places: ({ home, env }) => [
    {
      folder: env.HERMES_HOME || join(home, '.hermes'),
      files: /^(?:profiles\/[^/]+\/)?state\.db$/,
      kind: 'rows',
      queries: [MESSAGES],
    },
  ],
  recognises: ({ session_id, role, tool_calls }, path) =>
    path.endsWith('state.db') &&
    typeof session_id === 'string' &&
    typeof role === 'string' &&
    tool_calls !== undefined,
  reader,
}

function reader(): TranscriptReader {
  return {
    *read(row) {
      // Call ids are unique only within a session.
      const name = (id: unknown) => `${row.session_id}/${string(id) ?? ''}`
      if (row.role === 'tool')
        yield { ended: name(row.tool_call_id), how: howItEnded(string(row.content) ?? '') }
      for (const call of callsOf(row.tool_calls)) yield recorded(row, call, name(call.id))
    },
  }
}

function recorded(row: Record<string, unknown>, call: Record<string, unknown>, name: string): Recorded {
  const { name: tool, arguments: input } = record(call.function)
  return {
    call: name,
    payload: {
      hook_event_name: history.event,
      tool_name: tool,
      tool_input: jsonOf(input) ?? {},
      session_id: row.session_id,
      cwd: row.cwd ?? '',
      extra: { tool_call_id: call.id },
    },
    ...(typeof row.timestamp === 'number' ? { at: new Date(row.timestamp * 1000).toISOString() } : {}),
  }
}

function callsOf(text: unknown): Record<string, unknown>[] {
  const list = jsonOf(text)
  return Array.isArray(list) ? list.filter(isRecord) : []
}

function jsonOf(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : text
  } catch {
    return undefined // cut off in the database
  }
}

/** The result of a refused call has only `error`; that of a call that ran has more fields. */
const REFUSED = /^\{"error":\s*"(?!Error executing|Unknown tool)/
const FAILED = /^\{"error":|"exit_code":\s*[1-9]|"success":\s*false/

function howItEnded(content: string): 'ran' | 'failed' | 'refused' {
  if (REFUSED.test(content)) return 'refused'
  return FAILED.test(content) ? 'failed' : 'ran'
}
