import { expect, test } from 'vitest'
import { unheard } from './attempted.ts'

test.each([
  '{"decision": "block"',
  'starting\n{"hookSpecificOutput": {"permissionDecision": "deny"}}',
  '{"decision": "DENY"}',
  '{"hookSpecificOutput": {"verdict": "Blocked"}}',
  '"deny"',
])('%s, of which nothing was understood, is no consent', (stdout) => {
  expect(unheard({ exit_code: 0, stdout }, {})).toBeDefined()
  expect(unheard({ exit_code: 0, stdout }, { user_message: 'x', log: 'y' })).toBeDefined()
  expect(unheard({ exit_code: 0, stdout }, { additional_context: [stdout] })).toBeDefined()
  expect(unheard({ exit_code: 0, stdout }, { decision: 'allow' })).toBeUndefined()
})

test.each([
  '',
  '12 tests passed',
  '{"suppressOutput": true}',
  '{"note": "we deny nothing here"}',
  '[warn] slow',
])('%s says nothing and is fine', (stdout) => expect(unheard({ exit_code: 0, stdout }, {})).toBeUndefined())
