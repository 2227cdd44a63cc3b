import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../spec/hook.ts'
import type { Outcome } from '../spec/outcome.ts'
import { createMatcher } from './match.ts'
import { foresee, type Planned, plan, rank } from './plan.ts'
import { run } from './run.ts'

const event = {
  event_type: 'before_tool',
  timestamp: '',
  session_id: 's',
  work_dir: '/',
  context: {},
  tool_name: 'Shell',
  tool_input: { command: 'before' },
} as HookEvent

function hook(name: string, more: Partial<Hook> = {}): Planned {
  const made: Hook = {
    ...HOOK_DEFAULTS,
    name,
    format: 'f',
    scope: 'user',
    events: ['before_tool'],
    run: { type: 'callback', name },
    origin: { file: 'f' },
    ...more,
  }
  return { hook: made, matcher: createMatcher(made.matcher) }
}

/** Which hooks were under way at the same time, in the order in which they began; and what was left in the background. */
async function observe(hooks: readonly Planned[], answers: Readonly<Record<string, Outcome>> = {}) {
  for (const { matcher } of hooks) await matcher.load(event)
  const groups: string[][] = []
  const background: string[] = []
  let underWay = 0
  await run(plan(rank(hooks)), event, {
    async execute({ hook: { name } }) {
      if (underWay++ === 0) groups.push([])
      groups.at(-1)!.push(name)
      await turn()
      underWay--
      return { outcome: answers[name] ?? {} }
    },
    background: ({ hook: { name } }) => void background.push(name),
  })
  return background.length > 0 ? [...groups, background] : groups
}

async function printed(hooks: readonly Planned[]): Promise<string[][]> {
  const { steps } = await foresee(plan(rank(hooks)), event)
  return steps.map((step) => step.hooks.map(({ planned }) => planned.hook.name))
}

describe('a plan', () => {
  it('lets concurrent neighbours start together, and background hooks last', () => {
    const together = { mode: 'concurrent' } as const
    const steps = plan([
      hook('a'),
      hook('b', together),
      hook('c', { mode: 'background' }),
      hook('d', together),
      hook('e', { ...together, after: ['d'] }),
      hook('f'),
    ])
    expect(steps.map(({ mode, hooks }) => [mode, ...hooks.map((each) => each.hook.name)])).toEqual([
      ['sequence', 'a'],
      ['concurrent', 'b', 'd'],
      ['concurrent', 'e'],
      ['sequence', 'f'],
      ['background', 'c'],
    ])
  })

  it('keeps two concurrent hooks apart where a sequential one stands between them, even if that does not match', async () => {
    const hooks = [
      hook('a', { mode: 'concurrent' }),
      hook('b', { matcher: { command_text: 'after' } }),
      hook('c', { mode: 'concurrent' }),
    ]
    expect(await printed(hooks)).toEqual([['a'], ['c']])
    expect(await observe(hooks)).toEqual([['a'], ['c']])
    // The reason: the first may rewrite the input so that the one between them matches, and it must see that input.
    const rewritten = { a: { updated_input: { command: 'after' } } }
    expect(await observe(hooks, rewritten)).toEqual([['a'], ['b'], ['c']])
  })
})

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

const sets = fc
  .uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 })
  .chain((names) => fc.tuple(...names.map((name) => hookNamed(name))))

function hookNamed(name: string): fc.Arbitrary<Planned> {
  return fc
    .record({
      mode: fc.constantFrom<Hook['mode']>('sequence', 'sequence', 'concurrent', 'concurrent', 'background'),
      scope: fc.constantFrom<Hook['scope']>('managed', 'user', 'project', 'source', 'sdk'),
      order: fc.integer({ min: -1, max: 1 }),
      matcher: fc.constantFrom(
        {},
        {},
        { command_text: 'before' },
        { command_text: 'after' },
        { session: 'x' },
      ),
      after: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }),
    })
    .map((fields) => hook(name, fields))
}

const answer: fc.Arbitrary<Outcome> = fc.constantFrom<Outcome>(
  {},
  {},
  { decision: 'deny', reason: 'no' },
  { skip: true },
  { updated_input: { command: 'after' } },
)

describe('what runs is what the plan says', () => {
  it('hook for hook and step for step, as long as no hook interferes', async () => {
    await fc.assert(
      fc.asyncProperty(sets, async (hooks) => {
        expect(await observe(hooks)).toEqual(await printed(hooks))
      }),
      { numRuns: 300 },
    )
  })

  it('step for step for those that run, whatever hooks answer', async () => {
    const answers = fc.dictionary(fc.constantFrom(...NAMES), answer)
    await fc.assert(
      fc.asyncProperty(sets, answers, async (hooks, given) => {
        const observed = await observe(hooks, given)
        const ran = observed.flat()
        const steps = plan(rank(hooks)).map((step) =>
          step.hooks.map((planned) => planned.hook.name).filter((name) => ran.includes(name)),
        )
        expect(observed).toEqual(steps.filter((names) => names.length > 0))
      }),
      { numRuns: 300 },
    )
  })
})
