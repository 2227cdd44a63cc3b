import { expect, test } from 'vitest'
import { unheard } from './attempted.ts'

test.each([
  '{"decision": "block"',
  'starting\n{"hookSpecificOutput": {"permissionDecision": "deny"}}',
  '{"decision": "DENY"}',
  '{"hookSpecificOutput": {"verdict": "Blocked"}}',
  '"deny"',
])('%s, of which nothing was understood, is no consent', (stdout) => {
  expect(unheard({ exit_code: 0, stdout }, { outcome: {} })).toBeDefined()
  expect(unheard({ exit_code: 0, stdout }, { outcome: { user_message: 'x', log: 'y' } })).toBeDefined()
  expect(unheard({ exit_code: 0, stdout }, { outcome: { additional_context: [stdout] } })).toBeDefined()
  expect(unheard({ exit_code: 0, stdout }, { outcome: { decision: 'allow' } })).toBeUndefined()
})

test.each([
  '',
  '12 tests passed',
  '{"suppressOutput": true}',
  '{"note": "we deny nothing here"}',
  '[warn] slow',
])('%s says nothing and is fine', (stdout) =>
  expect(unheard({ exit_code: 0, stdout }, { outcome: {} })).toBeUndefined(),
)

test('fields that a format explicitly ignores are accepted', () => {
  const decoded = { outcome: {}, warnings: ['`decision` counts for nothing on this event'] }
  expect(unheard({ exit_code: 0, stdout: '{"decision": "block"}' }, decoded)).toBeUndefined()
  expect(unheard({ exit_code: 0, stdout: '{"decision": "block"' }, decoded)).toBeDefined()
})
