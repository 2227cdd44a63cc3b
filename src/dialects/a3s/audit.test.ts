import { describe, expect, it } from 'vitest'
import type { HookReport } from '../../spec/outcome.ts'
import { auditEvents, entriesOf } from './audit.ts'

const REPORT: HookReport = {
  name: 'guard',
  format: 'a3s',
  scope: 'sdk',
  status: 'blocked',
  exit_code: null,
  duration_ms: 4.2,
  attempts: 1,
  reason: 'no',
  error: null,
  skipped: null,
}
const ENTRIES = [
  { kind: 'registered' as const, hook: 'guard', event: 'PreToolUse' },
  ...entriesOf('PreToolUse', REPORT, { command: 'ls' }),
  { kind: 'unregistered' as const, hook: 'guard', event: 'PreToolUse' },
]

describe('the audit trail', () => {
  it('has a line for everything when it is verbose', () => {
    expect(auditEvents('verbose', ENTRIES)).toEqual([
      'hook registered: guard (PreToolUse)',
      'hook started: guard (PreToolUse)',
      'hook completed: guard (PreToolUse): blocked in 4 ms',
      'hook blocked: guard (PreToolUse): no',
      'hook modified: guard (PreToolUse): command',
      'hook unregistered: guard (PreToolUse)',
    ])
  })

  it('leaves out the runs by default, and everything when it is off', () => {
    expect(auditEvents('info', ENTRIES).map((line) => line.split(':')[0])).toEqual([
      'hook registered',
      'hook blocked',
      'hook modified',
      'hook unregistered',
    ])
    expect(auditEvents('off', ENTRIES)).toEqual([])
  })

  it('says nothing of a hook that did not run', () => {
    expect(entriesOf('PreToolUse', { ...REPORT, status: 'skipped' })).toEqual([])
  })
})
