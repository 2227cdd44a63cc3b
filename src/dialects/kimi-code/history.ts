/** Kimi Code's transcripts: what each agent of a session wrote on the wire, beside the state of the session. */

import { basename, dirname, join } from 'node:path'
import type { History, TranscriptFile, TranscriptReader } from '../../spec/history.ts'
import { isRecord, plainText, record, string } from '../lib/payload.ts'

export const history: History = {
  event: 'PreToolUse',
  places: ({ home, env }) => [
    {
      folder: join(env.KIMI_CODE_HOME || join(home, '.kimi-code'), 'sessions'),
      files: /\/agents\/[^/]+\/wire\.jsonl$/,
      kind: 'lines',
    },
  ],
  recognises: ({ type, protocol_version, event }) =>
    (type === 'metadata' && typeof protocol_version === 'string') ||
    (type === 'context.append_loop_event' && isRecord(event)),
  reader,
}

function reader({ path, text }: TranscriptFile): TranscriptReader {
  const state = parsed(text('../../state.json'))
  const session = string(state.id) ?? basename(dirname(dirname(dirname(path))))
  let cwd: unknown = state.cwd
  return {
    *read({ type, event: given, time, environmentDisclosure }) {
      if (type === 'profile.bind') cwd ??= record(environmentDisclosure).cwd
      if (type !== 'context.append_loop_event') return
      const event = record(given)
      const id = string(event.toolCallId) ?? ''
      if (event.type === 'tool.call')
        yield {
          call: id,
          payload: {
            session_id: session,
            cwd,
            hook_event_name: history.event,
            tool_name: event.name,
            tool_input: event.args,
            tool_call_id: id,
          },
          ...(typeof time === 'number' && Number.isFinite(time) ? { at: new Date(time).toISOString() } : {}),
        }
      else if (event.type === 'tool.result') yield { ended: id, how: howItEnded(record(event.result)) }
    },
  }
}

function parsed(text = '{}'): Record<string, unknown> {
  try {
    return record(JSON.parse(text))
  } catch {
    return {}
  }
}

const REFUSED = /rejected by (?:the )?user|permission (?:was )?denied by/i

/** A refused call is an error with the hook's reason as its text, which cannot be told from other errors. */
function howItEnded({ isError, output }: Record<string, unknown>): 'ran' | 'failed' | 'refused' {
  if (isError !== true) return 'ran'
  return REFUSED.test(plainText(output).slice(0, 300)) ? 'refused' : 'failed'
}
