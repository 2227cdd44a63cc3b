import { expect, test } from 'vitest'
import type { HookEvent } from '../spec/event.ts'
import type { Outcome } from '../spec/outcome.ts'
import { malformed } from './merge.ts'

const call = (tool_name: string, tool_input: Record<string, unknown>, event_type = 'before_tool') =>
  ({
    event_type,
    timestamp: '',
    session_id: '',
    work_dir: '/',
    context: {},
    tool_name,
    tool_input,
  }) as HookEvent
const SHELL = call('Shell', { command: 'ls', cwd: '/' })

test.each<[unknown, HookEvent]>([
  [{ decision: 'block' }, SHELL],
  [{ decision: 'DENY' }, SHELL],
  [{ decision: true }, SHELL],
  [{ action: 'block' }, SHELL],
  [{ stop: true }, SHELL],
  [{ retry: -1 }, SHELL],
  [{ retry: '5' }, SHELL],
  [{ additional_context: 'text' }, SHELL],
  [{ updated_input: null }, SHELL],
  [{ updated_input: [] }, SHELL],
  [{ updated_input: 'ls' }, SHELL],
  [{ updated_input: {} }, SHELL],
  [{ updated_input: { command: 5 } }, SHELL],
  [{ updated_input: { command: null } }, SHELL],
  [{ updated_input: { command: ['ls', 5] } }, SHELL],
  [{ updated_input: { cwd: '/tmp' } }, SHELL],
  [{ updated_input: { path: {} } }, call('ReadFile', { path: 'a' })],
  [{ updated_input: { path: 'a', edits: 'x' } }, call('EditFile', { path: 'a' })],
  [{ updated_input: { id: 5 } }, call('mcp__a__b', { id: 'five' })],
  [{ updated_input: {} }, call('mcp__a__b', { id: 'five' })],
  [{ updated_input: { prompt: 5 } }, { ...SHELL, event_type: 'before_agent' } as HookEvent],
])('%j cannot be carried out', (outcome, event) => {
  expect(malformed(outcome as Outcome, event, { input_merge: 'replace' })).toMatch(/^answered with /)
})

test.each<[unknown, HookEvent]>([
  [{}, SHELL],
  [{ decision: 'deny', colour: 1 }, SHELL],
  [{ decision: undefined, reason: 'r', retry: 0, updated_output: null }, SHELL],
  [{ updated_input: { command: 'ls -l' } }, SHELL],
  [{ updated_input: { command: ['ls', '-l'] } }, SHELL],
  [{ updated_input: {} }, call('mcp__a__b', {})],
  [{ updated_input: { id: 'six', more: 1 } }, call('mcp__a__b', { id: 'five' })],
  [{ updated_input: { prompt: 'p' } }, { ...SHELL, event_type: 'before_agent' } as HookEvent],
])('%j can', (outcome, event) => {
  expect(malformed(outcome as Outcome, event, { input_merge: 'replace' })).toBeUndefined()
})

test('a hook that changes single fields need not repeat the others', () => {
  const judge = (updated_input: Record<string, unknown>) =>
    malformed({ updated_input }, SHELL, { input_merge: 'shallow' })
  expect(judge({ timeout: 30_000 })).toBeUndefined()
  expect([judge({ command: 5 }), judge({})]).toEqual([expect.any(String), expect.any(String)])
})
