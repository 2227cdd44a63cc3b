import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMatcher } from '../engine/match.ts'
import { toResult } from '../engine/merge.ts'
import { type Planned, plan } from '../engine/plan.ts'
import { type Lent, run } from '../engine/run.ts'
import { callDirectly } from '../fast/direct.ts'
import type { HookEvent } from '../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../spec/hook.ts'
import type { FireResult } from '../spec/outcome.ts'
import { directPlan } from './direct-plans.ts'

const event = {
  event_type: 'before_tool',
  timestamp: '',
  session_id: 's',
  work_dir: '/',
  context: {},
  tool_name: 'Shell',
  tool_input: { command: 'a' },
} as HookEvent

const lent: Lent = { execute: async () => ({ outcome: {} }), background: () => {} }

function planned(name: string, direct: (event: HookEvent) => unknown, more: Partial<Hook> = {}): Planned {
  const hook: Hook = {
    ...HOOK_DEFAULTS,
    name,
    format: 'f',
    scope: 'sdk',
    events: ['before_tool'],
    run: { type: 'callback', name },
    origin: { file: 'f' },
    ...more,
  }
  return { hook, matcher: createMatcher({}), direct }
}

/** Only the slow way measures how long a call took. */
const untimed = (result: FireResult) => ({
  ...result,
  hooks: result.hooks.map((hook) => ({ ...hook, duration_ms: 0 })),
})

const behaviour = fc.constantFrom<(event: HookEvent) => unknown>(
  () => undefined,
  async () => undefined,
  () => null,
  () => ({}),
  () => ({ additional_context: ['x'] }),
  async () => ({ updated_input: { command: 'b' } }),
  ({ tool_input }) => ({ additional_context: [JSON.stringify(tool_input)] }),
  () => ({ decision: 'deny', reason: 'no' }),
  () => ({ skip: true }),
  () => 5,
  () => ({ decision: 'maybe' }),
  () => {
    throw new Error('broken')
  },
  async () => {
    throw new Error('broken later')
  },
  () => new Promise(() => {}),
)

it('answers as the engine does, for any functions', async () => {
  const hooks = fc.array(
    fc.record({ behaviour, on_failure: fc.constantFrom('open' as const, 'closed' as const) }),
    { maxLength: 6 },
  )
  await fc.assert(
    fc.asyncProperty(hooks, async (given) => {
      const make = () =>
        plan(
          given.map(({ behaviour, on_failure }, at) =>
            planned(`h${at}`, behaviour, { on_failure, timeout: 20 }),
          ),
        )
      const list = directPlan(make(), lent)
      expect(list).not.toBeNull()
      const quick = await callDirectly(list!, event)
      const slow = toResult(event, await run(make(), event, lent))
      expect(untimed(quick)).toEqual(untimed(slow))
    }),
    { numRuns: 60 },
  )
}, 120_000)

it('does not take the short way where a hook needs more than a call', () => {
  const call = () => undefined
  for (const more of [{ retries: 1 }, { after: ['x'] }, { mode: 'concurrent' as const }])
    expect(directPlan(plan([planned('a', call), planned('b', call, more)]), lent)).toBeNull()
  expect(directPlan(plan([{ ...planned('a', call), gate: () => 'disabled' }]), lent)).toBeNull()
})
