/** Outcome → what Kimi Code obeys, and the answers of hooks written for it → outcomes. */

import type { Decoded, Reply } from '../../spec/dialect.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { failure, type Outcome } from '../../spec/outcome.ts'
import { contextOf, exitReply, reasonOf, SILENT, wholeJson } from '../lib/hook-specific-output.ts'
import { record, string } from '../lib/payload.ts'

const BLOCKING = new Set(['PreToolUse', 'UserPromptSubmit', 'Stop'])

/** Exit code 2 with the reason is the only way to block; plain text on a prompt is the only way to add context. */
export function encode(outcome: Outcome, event: HookEvent): Reply {
  const name = event.native_event ?? ''
  if (!BLOCKING.has(name)) return SILENT
  const refused = name === 'PreToolUse' && (outcome.decision === 'ask' || outcome.updated_input !== undefined)
  if (outcome.decision === 'deny' || outcome.stop !== undefined || refused)
    return exitReply(reasonOf(outcome))
  const text = name === 'UserPromptSubmit' ? contextOf(outcome) : undefined
  if (text === undefined) return SILENT
  // JSON would be parsed instead of shown.
  return { stdout: `${text.startsWith('{') ? `Note: ${text}` : text}\n`, stderr: '', exit_code: 0 }
}

export function decode(raw: RawResult, event: HookEvent, hook: Hook): Decoded {
  const name = hook.native_event ?? event.native_event ?? ''
  const stderr = string((raw.stderr ?? '').trim())
  if (raw.exit_code === 2)
    return { outcome: { decision: 'deny', reason: stderr ?? `Blocked by ${name} hook` } }
  if (raw.exit_code !== 0)
    return {
      outcome: failure(`exit code ${raw.exit_code ?? raw.signal}${stderr ? `: ${stderr}` : ''}`, {
        retryable: false,
        exit_code: raw.exit_code ?? null,
      }),
    }
  const json = wholeJson(raw.stdout)
  const special = record(json?.hookSpecificOutput)
  if (special.permissionDecision === 'deny')
    return {
      outcome: {
        decision: 'deny',
        reason: string(special.permissionDecisionReason) ?? `Blocked by ${name} hook`,
      },
    }
  const text = string((string(json?.message) ?? raw.stdout ?? '').trim())
  if (name === 'UserPromptSubmit' && text !== undefined) return { outcome: { additional_context: [text] } }
  return json
    ? {
        outcome: {},
        warnings: [
          'Kimi Code obeys only hookSpecificOutput.permissionDecision "deny"; the reply is ignored.',
        ],
      }
    : { outcome: {} }
}
