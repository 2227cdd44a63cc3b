import { expect, test } from 'vitest'
import type { HookEvent } from '../../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../../spec/hook.ts'
import type { HookReport } from '../../spec/outcome.ts'
import { debugLines } from './debug.ts'

const event: HookEvent = {
  event_type: 'before_tool',
  timestamp: 't',
  session_id: 's',
  work_dir: '/',
  context: {},
  tool_name: 'Shell',
  tool_input: { command: 'secret' },
  native: { whole: 'payload' },
}

const hook: Hook = {
  ...HOOK_DEFAULTS,
  name: 'guard',
  format: 'agenthooks',
  scope: 'user',
  events: ['before_tool'],
  run: { type: 'outcome', outcome: {} },
  origin: { file: 'f' },
}

const report: HookReport = {
  name: 'guard',
  format: 'agenthooks',
  scope: 'user',
  status: 'blocked',
  exit_code: 2,
  duration_ms: 12.4,
  attempts: 1,
  reason: 'no secret',
  error: null,
  skipped: null,
}

test('a hook has its lines in the words of the documents, without secrets', () => {
  const lines: string[] = []
  const redact = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('secret', '***')) as T
  const debug = debugLines(event, (line) => lines.push(line), redact)
  debug.started(hook)
  debug.ended(hook, { ...report, log: 'looked', warnings: ['odd'] })
  debug.ended({ ...hook, mode: 'background' }, { ...report, status: 'failed', reason: null, error: 'broke' })
  expect(lines).toEqual([
    "[HOOK DEBUG] [SYNC] Starting hook 'guard' for event 'before_tool'",
    '[HOOK DEBUG] Input: {"event_type":"before_tool","timestamp":"t","session_id":"s","work_dir":"/","context":{},"tool_name":"Shell","tool_input":{"command":"***"}}',
    "[HOOK DEBUG] [SYNC] Completed hook 'guard' in 12ms: blocked=True",
    '[HOOK DEBUG] Log: looked',
    '[HOOK DEBUG] Reason: no ***',
    '[HOOK DEBUG] Warning: odd',
    "[HOOK DEBUG] [ASYNC] Completed hook 'guard' in 12ms: blocked=False",
    "[HOOK DEBUG] Hook 'guard' failed: broke",
  ])
})
