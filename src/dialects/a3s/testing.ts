/** What the tests of this folder share. */

import type { HookEvent } from '../../spec/event.ts'
import type { Hook } from '../../spec/hook.ts'
import { read } from './config.ts'
import { defineHook } from './register.ts'

export function anEvent(more: Partial<HookEvent> = {}): HookEvent {
  return {
    event_type: 'before_tool',
    timestamp: '2026-01-15T10:30:00Z',
    session_id: 's1',
    work_dir: '/workspace',
    context: {},
    ...more,
  }
}

export function aHook(event = 'PreToolUse', more: object = {}): Hook {
  return defineHook(event, { id: 'guard', handler: () => undefined, ...more })
}

export function load(content: unknown) {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2)
  return read({ path: '/home/me/a3s.json', text, scope: 'user' })
}
