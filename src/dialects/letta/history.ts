/** Letta Code's transcripts, where agents are kept on this machine: the messages of each conversation. */

import { join } from 'node:path'
import type { History, Recorded, TranscriptReader } from '../../spec/history.ts'
import { isRecord, plainText, record, string } from '../lib/payload.ts'

export const history: History = {
  event: 'PreToolUse',
  notes: ['Conversations that are kept on a server of Letta are not read.'],
  places: ({ home, env }) => [
    {
      folder: join(env.LETTA_HOME || join(home, '.letta'), 'lc-local-backend/conversations'),
      files: /\/messages\.jsonl$/,
      kind: 'lines',
    },
  ],
  recognises: ({ role, metadata }) =>
    typeof role === 'string' && typeof record(metadata).conversation_id === 'string',
  reader,
}

function reader(): TranscriptReader {
  let cwd: string | undefined
  return {
    *read(message) {
      const { role, content, toolCallId } = message
      if (role === 'user') cwd = folderIn(plainText(content)) ?? cwd
      else if (role === 'toolResult') yield { ended: string(toolCallId) ?? '', how: howItEnded(message) }
      else if (role === 'assistant' && Array.isArray(content))
        for (const part of content as unknown[])
          if (isRecord(part) && part.type === 'toolCall') yield call(message, part, cwd)
    },
  }
}

/** The working folder appears only in a message to the model. */
function folderIn(text: string): string | undefined {
  return /working directory\*{0,2}: (\S[^\n]*)/i.exec(text.slice(0, 20_000))?.[1]?.trim()
}

function call(
  { metadata, timestamp }: Record<string, unknown>,
  { id, name, arguments: input }: Record<string, unknown>,
  cwd: string | undefined,
): Recorded {
  return {
    call: string(id) ?? '',
    payload: {
      event_type: history.event,
      // Tool hooks get the id of the agent, not of the conversation.
      agent_id: record(metadata).agent_id,
      working_directory: cwd,
      tool_name: name,
      tool_input: input,
      tool_call_id: id,
    },
    ...(typeof timestamp === 'number' && Number.isFinite(timestamp)
      ? { at: new Date(timestamp).toISOString() }
      : {}),
  }
}

function howItEnded({ isError, content }: Record<string, unknown>): 'ran' | 'failed' | 'refused' {
  if (/^Error: Tool execution blocked by hook|^Error: .*denied/.test(plainText(content).slice(0, 300)))
    return 'refused'
  return isError === true ? 'failed' : 'ran'
}
