/** What the tests of this folder share. */

import type { HookEvent } from '../../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../../spec/hook.ts'
import { read } from './config.ts'

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

export function aHook(native_event: string, more: Partial<Hook> = {}): Hook {
  return {
    ...HOOK_DEFAULTS,
    name: `dev:${native_event}[0]`,
    format: 'amazon-q',
    scope: 'user',
    events: ['before_tool'],
    native_event,
    run: { type: 'command', command: 'check.sh', shell: 'bash', args: ['-c'] },
    output_limit: 10_240,
    origin: { file: '/home/me/dev.json' },
    ...more,
  }
}

/** A file of this format, given as a value or as a text. */
export function load(content: unknown, path = '/home/me/dev.json') {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2)
  return read({ path, text, scope: 'user' })
}
