/** Cline's transcripts: a document for each session and each subagent, beside the one that describes the session. */

import { join } from 'node:path'
import type { History, Recorded, TranscriptFile, TranscriptReader } from '../../spec/history.ts'
import { isRecord, plainText, record, string } from '../lib/payload.ts'

export const history: History = {
  event: 'PreToolUse',
  notes: ["Tasks of Cline's editor extension are not read."],
  places: ({ home, env }) => [
    {
      folder: join(env.CLINE_DATA_DIR || join(env.CLINE_DIR || join(home, '.cline'), 'data'), 'sessions'),
      files: /\.messages\.json$/,
      kind: 'document',
    },
  ],
  recognises: ({ sessionId, agent, messages }) =>
    typeof sessionId === 'string' && typeof agent === 'string' && Array.isArray(messages),
  reader,
}

function reader(file: TranscriptFile): TranscriptReader {
  return {
    *read({ sessionId, messages }) {
      if (typeof sessionId !== 'string' || !Array.isArray(messages)) return
      // Hook payloads of subagents have the id of the parent session.
      const [root = ''] = sessionId.split('__')
      const { cwd, workspace_root } = sessionOf(file.text(`${root}.json`))
      for (const message of messages as unknown[])
        if (isRecord(message)) yield* read(message, root, cwd ?? workspace_root)
    },
  }
}

function sessionOf(text = '{}'): Record<string, unknown> {
  try {
    return record(JSON.parse(text))
  } catch {
    return {}
  }
}

function* read(message: Record<string, unknown>, session: string, cwd: unknown): Generator<Recorded> {
  const { content, ts } = message
  for (const part of Array.isArray(content) ? (content as unknown[]) : []) {
    if (!isRecord(part)) continue
    if (part.type === 'tool_use') yield call(part, session, cwd, ts)
    else if (part.type === 'tool_result')
      yield { ended: string(part.tool_use_id) ?? '', how: howItEnded(part) }
  }
}

function call(part: Record<string, unknown>, session: string, cwd: unknown, ts: unknown): Recorded {
  const { id, name, input } = part
  return {
    call: string(id) ?? '',
    payload: {
      hookName: 'tool_call',
      taskId: session,
      sessionContext: { rootSessionId: session },
      workspaceRoots: [cwd],
      tool_call: { id, name, input },
    },
    ...(typeof ts === 'number' && Number.isFinite(ts) ? { at: new Date(ts).toISOString() } : {}),
  }
}

const REFUSED = /denied by|hook (?:blocked|cancelled)|user denied|was not approved/i

function howItEnded({ is_error, content }: Record<string, unknown>): 'ran' | 'failed' | 'refused' {
  if (REFUSED.test(plainText(content).slice(0, 300))) return 'refused'
  return is_error === true ? 'failed' : 'ran'
}
