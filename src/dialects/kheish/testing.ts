/** What the tests of this folder share. */

import type { HookEvent } from '../../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../../spec/hook.ts'

export function anEvent(more: Partial<HookEvent> = {}): HookEvent {
  return {
    event_type: 'before_tool',
    timestamp: '2026-01-15T10:30:00Z',
    session_id: 'session-1',
    work_dir: '/project',
    context: {},
    ...more,
  }
}

export function aHook(more: Partial<Hook> = {}): Hook {
  return {
    ...HOOK_DEFAULTS,
    name: 'guard',
    format: 'kheish',
    scope: 'source',
    events: ['before_tool'],
    native_event: 'pre_tool_use',
    run: { type: 'command', command: 'true', shell: '/bin/bash', args: ['-lc'] },
    output_limit: 128 * 1024,
    origin: { file: 'hooks.json' },
    ...more,
  }
}
