import { expect, test, vi } from 'vitest'
import { findSecrets } from './find.ts'
import { redact } from './redact.ts'

vi.mock(import('./find.ts'), async (load) => {
  const found = await load()
  return { ...found, findSecrets: vi.fn(found.findSecrets) }
})

test("an agent's reply of plain words is kept without a full search", () => {
  const reply = `${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } })}\n`
  expect(redact(reply)).toBe(reply)
  expect(findSecrets).not.toHaveBeenCalled()
  redact('TOKEN=abc')
  expect(findSecrets).toHaveBeenCalledOnce()
})
