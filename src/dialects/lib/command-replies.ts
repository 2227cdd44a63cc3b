/** Exit codes of command hooks in the formats that agree on them: 2 blocks, 0 may say more, others are failures. Light. */

import type { Decoded } from '../../spec/dialect.ts'
import type { RawResult } from '../../spec/executor.ts'
import { failure, type Outcome } from '../../spec/outcome.ts'
import { wholeJson } from './hook-specific-output.ts'
import { isRecord } from './payload.ts'

export interface ReplyReader {
  /** One JSON object on stdout. */
  json(reply: Record<string, unknown>): Outcome
  /** Anything else on stdout. */
  text?(text: string): Outcome
  /** JSON counts whatever the exit code is. */
  anyExit?: boolean
}

export function decodeCommandReply(raw: RawResult, reader: ReplyReader): Decoded {
  const stderr = (raw.stderr ?? '').trim()
  const json = isRecord(raw.value) ? raw.value : wholeJson(raw.stdout)
  if (raw.status !== undefined && (raw.status < 200 || raw.status > 299))
    return { outcome: failure(`HTTP ${raw.status}`, { retryable: false }) }
  if (raw.exit_code === 2)
    return { outcome: { decision: 'deny', reason: stderr || 'Blocked by a hook that gave no reason.' } }
  if (json && (reader.anyExit || !raw.exit_code)) return { outcome: reader.json(json) }
  if (raw.exit_code !== 0 && raw.status === undefined) return failedExit(raw)
  const text = (raw.stdout ?? '').trim()
  return { outcome: text === '' ? {} : (reader.text?.(text) ?? {}) }
}

export function failedExit(raw: RawResult): Decoded {
  const stderr = (raw.stderr ?? '').trim()
  return {
    outcome: failure(`exit code ${raw.exit_code ?? raw.signal}${stderr ? `: ${stderr}` : ''}`, {
      retryable: false,
      exit_code: raw.exit_code ?? null,
    }),
  }
}
