/** What the tests of this folder share. */

import type { HookEvent } from '../../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../../spec/hook.ts'

export function anEvent(more: Partial<HookEvent> = {}): HookEvent {
  return {
    event_type: 'before_tool',
    timestamp: '2026-01-15T10:30:00Z',
    session_id: 'sess-1',
    work_dir: '/project',
    context: {},
    ...more,
  }
}

export function aHook(more: Partial<Hook> = {}): Hook {
  return {
    ...HOOK_DEFAULTS,
    name: 'guard',
    format: 'agenthooks',
    scope: 'user',
    events: ['before_tool'],
    run: { type: 'command', entry: '/hooks/guard' },
    origin: { file: '/hooks/guard/HOOK.md', dir: '/hooks/guard' },
    ...more,
  }
}
