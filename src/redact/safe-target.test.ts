import { expect, test } from 'vitest'
import { sha256Hex } from '../fast/digest.ts'
import type { Run } from '../spec/hook.ts'
import { safeError, safeTarget } from './safe-target.ts'

const BROKEN = 'not a url token=secret'
const COMMAND = {
  type: 'command',
  command: 'curl -d token=secret x',
  shell: '/bin/sh',
  args: ['-c'],
} as const

test.each<[Run, string]>([
  [COMMAND, 'command:h'],
  [
    { type: 'http', url: 'https://bob:pw@example.com:8443/a?token=secret' },
    'http:h:https://example.com:8443',
  ],
  [{ type: 'http', url: 'https://example.com/hook?token=secret' }, 'http:h:https://example.com'],
  [{ type: 'http', url: BROKEN }, `http:h:invalid_url_sha256:${sha256Hex(BROKEN).slice(0, 16)}`],
  [{ type: 'prompt', template: 'secret' }, 'prompt:h'],
  [{ type: 'agent', template: 'secret' }, 'agent:h'],
  [{ type: 'callback', name: 'check' }, 'callback:h:check'],
  [{ type: 'module', file: '/hidden/run.ts' }, 'module:h'],
  [{ type: 'remote', client: 'c', hook_id: '1' }, 'remote:h'],
  [{ type: 'outcome', outcome: {} }, 'outcome:h'],
])('K76: %j is told as %s', (run, expected) => {
  const target = safeTarget({ name: 'h', run })
  expect(target).toBe(expected)
  expect(target).not.toMatch(/curl|token=secret|pw/)
})

test('a failure tells neither the command nor the path of an address', () => {
  const command = 'curl -d @x https://e.com/hook/abc; exit 1'
  const run: Run = { type: 'command', command, shell: 'sh', args: ['-c'] }
  expect(
    safeError({ run }, 'preToolUse "curl -d @x https://e.com/hook/abc; exit 1" failed, exit code 1'),
  ).toBe('preToolUse "[command]" failed, exit code 1')
  expect(safeError({ run }, 'GET https://e.com:8443/bot1:x/send?y=1 said 500')).toBe(
    'GET https://e.com:8443/… said 500',
  )
})
