/** The audit trail of A3S: one line for each event of a hook that the audit level includes. */

import type { HookReport } from '../../spec/outcome.ts'
import type { AuditLevel } from './settings.ts'

export const AUDIT_KINDS = [
  'registered',
  'unregistered',
  'started',
  'completed',
  'blocked',
  'modified',
] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

export interface AuditEntry {
  kind: AuditKind
  hook: string
  event: string
  /** How it ended, why it blocked, which fields it changed. */
  detail?: string
}

/** Starts and ends of runs are recorded only at `verbose`. */
const BY_LEVEL: Readonly<Record<AuditLevel, readonly AuditKind[]>> = {
  off: [],
  info: ['registered', 'unregistered', 'blocked', 'modified'],
  verbose: AUDIT_KINDS,
}

export function auditEvents(level: AuditLevel, entries: Iterable<AuditEntry>): string[] {
  const lines: string[] = []
  for (const { kind, hook, event, detail } of entries)
    if (BY_LEVEL[level].includes(kind))
      lines.push(`hook ${kind}: ${hook} (${event})${detail ? `: ${detail}` : ''}`)
  return lines
}

/** What one run of a hook adds to the trail. */
export function entriesOf(
  event: string,
  report: HookReport,
  modified?: Record<string, unknown> | null,
): AuditEntry[] {
  const about = { hook: report.name, event }
  if (report.status === 'skipped') return []
  const entries: AuditEntry[] = [{ kind: 'started', ...about }]
  if (report.status === 'background') return entries
  entries.push({
    kind: 'completed',
    ...about,
    detail: `${report.status} in ${Math.round(report.duration_ms)} ms`,
  })
  if (report.status === 'blocked') entries.push({ kind: 'blocked', ...about, detail: report.reason ?? '' })
  if (modified) entries.push({ kind: 'modified', ...about, detail: Object.keys(modified).join(', ') })
  return entries
}
