import { expect, test } from 'vitest'
import { HOOK_DEFAULTS, type Hook } from '../spec/hook.ts'
import { openGuards } from './open-guards.ts'

const hook = (name: string, more: Partial<Hook> = {}): Hook => ({
  ...HOOK_DEFAULTS,
  name,
  format: 'agenthooks',
  scope: 'user',
  events: ['before_tool'],
  run: { type: 'command', entry: '/x' },
  origin: { file: '/x/HOOK.md' },
  ...more,
})

test('guards that could be closed are named with what to write', async () => {
  const deny = { type: 'outcome', outcome: { decision: 'deny' } } as const
  const open = await openGuards([
    hook('script'),
    hook('rule', { run: deny, matcher: { when: 'true' } }),
    hook('fixed', { run: deny }),
    hook('closed', { on_failure: 'closed' }),
    hook('later', { events: ['after_tool'] }),
    hook('async', { blocks: false }),
    hook('off', { disabled: true }),
    hook('cannot', { format: 'amazon-q' }),
  ])
  expect(open).toEqual(
    ['script', 'rule'].map((name) => ({ name, file: '/x/HOOK.md', write: 'on_failure: closed' })),
  )
})
