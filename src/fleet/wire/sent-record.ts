/** A record as it leaves the machine. Commands, paths and reasons stay there unless the policy says `journal: full`. */

import * as z from 'zod'
import type { JournalRecord } from '../../journal/port.ts'

const text = z.string().max(8192)
const name = z.string().max(300)

const hookSchema = z.object({
  name,
  status: name,
  duration_ms: z.number(),
  asked: z.literal(true).optional(),
  rewrote: z.literal(true).optional(),
  shadow: z.enum(['allow', 'ask', 'deny']).optional(),
  reason: text.nullish(),
  error: text.nullish(),
})

/** Ignores unknown fields: machines may be newer than their hub. */
export const sentSchema = z.object({
  seq: z.int().positive(),
  id: name,
  at: z.iso.datetime(),
  event: name,
  agent: name.optional(),
  session_id: name,
  tool_name: name.optional(),
  decision: z.enum(['allow', 'ask', 'deny']),
  duration_ms: z.number(),
  source: name,
  input_digest: name.optional(),
  hooks: z.array(hookSchema).max(500),
  subject: text.optional(),
  detail: text.optional(),
  work_dir: text.optional(),
  reason: text.nullish(),
})
export type SentRecord = z.infer<typeof sentSchema>

export function lineOf(record: JournalRecord, scope: 'facts' | 'full'): string {
  const { seq, id, at, event, agent, session_id, tool_name, decision, duration_ms, source, input_digest } =
    record
  const hooks = record.hooks
    .filter(({ status }) => status !== 'skipped')
    .map(({ name, status, duration_ms, asked, rewrote, shadow, reason, error }) => ({
      name,
      status,
      duration_ms,
      ...(asked ? { asked } : {}),
      ...(rewrote ? { rewrote } : {}),
      ...(shadow ? { shadow } : {}),
      ...(scope === 'full' ? { reason, error } : {}),
    }))
  const { subject, detail, work_dir, reason } = record
  return JSON.stringify({
    ...{
      seq,
      id,
      at,
      event,
      agent,
      session_id,
      tool_name,
      decision,
      duration_ms,
      source,
      input_digest,
      hooks,
    },
    ...(scope === 'full' ? { subject, detail, work_dir, reason } : {}),
  })
}

/** Gets a row of its own on the hub: everything but a plain allow. */
export function isNotable({ decision, hooks }: SentRecord): boolean {
  return decision !== 'allow' || hooks.some(isRemarkable)
}

export function isRemarkable({ status, asked, rewrote, shadow }: SentRecord['hooks'][number]): boolean {
  return (
    ['failed', 'timed_out', 'blocked'].includes(status) ||
    asked === true ||
    rewrote === true ||
    (shadow !== undefined && shadow !== 'allow')
  )
}
