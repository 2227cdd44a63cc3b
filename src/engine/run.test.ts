import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../spec/hook.ts'
import { failure, type Outcome } from '../spec/outcome.ts'
import { createMatcher } from './match.ts'
import { type Planned, plan, rank } from './plan.ts'
import { type Lent, run } from './run.ts'

const event = {
  event_type: 'before_tool',
  timestamp: '',
  session_id: 's',
  work_dir: '/',
  context: {},
  tool_name: 'Shell',
  tool_input: { command: 'a' },
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

/** Runs hooks whose behaviour is given by name. */
async function fire(
  hooks: Planned[],
  behaviour: Record<
    string,
    (event: HookEvent, attempt: number) => Outcome | Promise<Outcome> | ReturnType<typeof failure>
  >,
) {
  const started: string[] = []
  const background: string[] = []
  const lent: Lent = {
    async execute({ hook }, seen, { attempt }) {
      started.push(hook.name)
      return { outcome: await behaviour[hook.name]!(seen, attempt) }
    },
    background: ({ hook }) => background.push(hook.name),
  }
  for (const { matcher } of hooks) await matcher.load(event)
  const ran = await run(plan(rank(hooks)), event, lent)
  return {
    ...ran,
    started,
    background,
    statuses: Object.fromEntries(ran.reports.map((r) => [r.name, r.skipped ?? r.status])),
  }
}

const nothing = () => ({})
const deny = () => ({ decision: 'deny', reason: 'no' }) as const

describe('running hooks', () => {
  it('goes by order, then scope, then as loaded', () => {
    const names = rank([
      hook('late', { order: 5 }),
      hook('project', { scope: 'project' }),
      hook('user'),
      hook('first', { order: -9 }),
      hook('managed', { scope: 'managed' }),
    ])
    expect(names.map((p) => p.hook.name)).toEqual(['first', 'managed', 'user', 'project', 'late'])
  })

  it('moves a hook behind those it comes after, and survives a cycle', () => {
    expect(
      rank([
        hook('c', { after: ['a', 'b'], order: -5 }),
        hook('a'),
        hook('b', { after: ['a'] }),
        hook('d'),
      ]).map((p) => p.hook.name),
    ).toEqual(['a', 'b', 'c', 'd'])
    expect(rank([hook('x', { after: ['y'] }), hook('y', { after: ['x'] })]).map((p) => p.hook.name)).toEqual([
      'x',
      'y',
    ])
  })

  it('stops at the first block, and starts nothing in the background then', async () => {
    const ran = await fire([hook('a'), hook('b'), hook('c'), hook('d', { mode: 'background' })], {
      a: nothing,
      b: deny,
      c: nothing,
      d: nothing,
    })
    expect(ran.statuses).toEqual({ a: 'allowed', b: 'blocked', c: 'short_circuit', d: 'short_circuit' })
    expect(ran.background).toEqual([])
    expect(ran.outcome).toMatchObject({ decision: 'deny', reason: 'no' })
  })

  it('runs all of a concurrent group, even when one blocks', async () => {
    const ran = await fire([hook('a', { mode: 'concurrent' }), hook('b', { mode: 'concurrent' })], {
      a: deny,
      b: () => ({ additional_context: ['x'] }),
    })
    expect(ran.statuses).toEqual({ a: 'blocked', b: 'allowed' })
    expect(ran.outcome.additional_context).toEqual(['x'])
  })

  it('shows the rewritten input to later hooks, and matches them against it', async () => {
    const seen: unknown[] = []
    const ran = await fire(
      [
        hook('a'),
        hook('b', { matcher: { pattern: 'safe' } }),
        hook('c', { matcher: { pattern: 'not in it' } }),
      ],
      {
        a: () => ({ updated_input: { command: 'safe' } }),
        b: (e) => {
          seen.push(e.tool_input)
          return {}
        },
        c: nothing,
      },
    )
    expect(seen).toEqual([{ command: 'safe' }])
    expect(ran.started).toEqual(['a', 'b'])
  })

  it('records what a hook in shadow would have decided, and nothing of its answer counts', async () => {
    const shadow = { shadow: true as const }
    const {
      outcome,
      reports,
      event: seen,
      started,
    } = await fire(
      [
        hook('deny', shadow),
        hook('ask', shadow),
        hook('rewrite', shadow),
        hook('broken', { ...shadow, on_failure: 'closed' }),
        hook('fine', shadow),
        hook('real'),
      ],
      {
        deny: () => ({ decision: 'deny', reason: 'no' }),
        ask: () => ({ decision: 'ask', reason: 'may I?' }),
        rewrite: () => ({
          updated_input: { command: 'b' },
          additional_context: ['x'],
          stop: 'end',
          skip: true,
        }),
        broken: () => failure('it broke', { retryable: false }),
        fine: () => ({}),
        real: () => ({}),
      },
    )
    expect(outcome).toEqual({})
    expect(seen).toBe(event)
    expect(started).toEqual(['deny', 'ask', 'rewrite', 'broken', 'fine', 'real'])
    expect(
      reports.map(({ name, status, shadow, asked, rewrote }) => [name, status, shadow, asked, rewrote]),
    ).toEqual([
      ['deny', 'allowed', 'deny', undefined, undefined],
      ['ask', 'allowed', 'ask', undefined, undefined],
      ['rewrite', 'allowed', 'deny', undefined, undefined],
      ['broken', 'failed', 'deny', undefined, undefined],
      ['fine', 'allowed', 'allow', undefined, undefined],
      ['real', 'allowed', undefined, undefined, undefined],
    ])
    expect(reports[0]!.reason).toBe('no')
  })

  it('passes data along a chain', async () => {
    let got: unknown
    await fire([hook('b', { after: ['a'] }), hook('a')], {
      a: () => ({ data: { n: 1 } }),
      b: (e) => {
        got = e.data
        return {}
      },
    })
    expect(got).toEqual({ a: { n: 1 } })
  })

  it('lets a failure pass when it is open, and blocks when it is closed', async () => {
    const fails = () => failure('boom', { retryable: false })
    const open = await fire([hook('a'), hook('b')], { a: fails, b: nothing })
    expect(open.statuses).toEqual({ a: 'failed', b: 'allowed' })
    const closed = await fire([hook('a', { on_failure: 'closed' }), hook('b')], { a: fails, b: nothing })
    expect(closed.statuses).toEqual({ a: 'failed', b: 'short_circuit' })
    expect(closed.outcome).toMatchObject({
      decision: 'deny',
      reason: 'hook `a` failed after 1 attempt(s): boom',
    })
  })

  it('tries again within its budget, and no further', async () => {
    const ran = await fire([hook('a', { retries: 2, budget: 'total', timeout: 20_000 })], {
      a: (_, n) => (n < 3 ? failure('once more') : {}),
    })
    expect(ran.reports[0]).toMatchObject({ status: 'allowed', attempts: 3 })
    const late = await fire([hook('a', { retries: 3, budget: 'total', timeout: 80 })], {
      a: () => sleep(5000).then(() => ({})),
    })
    expect(late.reports[0]).toMatchObject({
      status: 'timed_out',
      attempts: 1,
      error: 'timed out after 80 ms',
    })
  })

  it('only reports a block of a hook that may not block', async () => {
    const ran = await fire([hook('a', { blocks: false }), hook('b')], { a: deny, b: nothing })
    expect(ran.outcome.decision).toBeUndefined()
    expect(ran.reports[0]).toMatchObject({
      status: 'allowed',
      warnings: [expect.stringContaining('only reported (no)')],
    })
  })

  it('ignores an effect that the event does not know, with a warning', async () => {
    const ran = await fire([hook('a')], { a: () => ({ updated_output: 'x' }) })
    expect(ran.outcome).toEqual({})
    expect(ran.reports[0]!.warnings).toEqual(['updated_output has no meaning on before_tool: ignored'])
  })

  it('leaves out the hooks that have not started when one says skip', async () => {
    const ran = await fire([hook('a'), hook('b')], { a: () => ({ skip: true }), b: deny })
    expect(ran.statuses).toEqual({ a: 'allowed', b: 'skipped_by_hook' })
  })

  it('leaves out no hook of a stronger scope', async () => {
    const late = hook('late', { scope: 'managed', order: 1 })
    const ran = await fire([hook('a'), hook('b'), late], { a: () => ({ skip: true }), b: deny, late: deny })
    expect(ran.statuses).toEqual({ a: 'allowed', b: 'skipped_by_hook', late: 'blocked' })
    const scoped = async (skipper: Hook['scope'], other: Hook['scope']) => {
      const hooks = [hook('a', { scope: skipper }), hook('b', { scope: other, order: 1 })]
      return (await fire(hooks, { a: () => ({ skip: true }), b: () => ({}) })).statuses.b
    }
    expect(await scoped('sdk', 'user')).toBe('allowed')
    expect(await scoped('sdk', 'sdk')).toBe('skipped_by_hook')
    expect(await scoped('source', 'user')).toBe('skipped_by_hook')
    expect(await scoped('project', 'sdk')).toBe('allowed')
    expect(await scoped('project', 'user')).toBe('allowed')
    expect(await scoped('user', 'project')).toBe('skipped_by_hook')
  })

  it('hears of a hook that ran beside the one that left it out only that it objects', async () => {
    const together = (name: string, order: number) => hook(name, { mode: 'concurrent', order })
    const ran = await fire([together('a', 1), together('b', 2), together('c', 3), together('d', 4)], {
      a: () => ({ updated_input: { command: 'a' } }),
      b: () => ({ skip: true }),
      c: () => ({ updated_input: { command: 'c' }, additional_context: ['c'] }),
      d: () => ({ decision: 'deny', reason: 'no', additional_context: ['d'] }),
    })
    expect(ran.outcome).toEqual({
      skip: true,
      decision: 'deny',
      reason: 'no',
    })
    expect(ran.reports.map(({ warnings }) => warnings?.length ?? 0)).toEqual([0, 0, 1, 1])
  })

  it('passes on no rewritten input and no retry with an operation that is refused', async () => {
    const answers = {
      a: () => ({ updated_input: { command: 'b' }, retry: 10, additional_context: ['kept'] }),
      b: deny,
    }
    for (const mode of ['sequence', 'concurrent'] as const)
      expect((await fire([hook('a', { mode }), hook('b', { mode })], answers)).outcome).toEqual({
        decision: 'deny',
        reason: 'no',
        additional_context: ['kept'],
      })
    const stopped = await fire([hook('a')], {
      a: () => ({ retry: 1, updated_input: { command: 'b' }, stop: 'enough' }),
    })
    expect(stopped.outcome).toEqual({ stop: 'enough' })
    const own = { ...answers.a(), decision: 'deny' as const }
    expect((await fire([hook('a')], { a: () => own })).outcome.updated_input).toBeUndefined()
    const reporting = hook('a', { reports_refused_input: true })
    expect((await fire([reporting], { a: () => own })).outcome.updated_input).toEqual({ command: 'b' })
    expect((await fire([reporting, hook('b')], answers)).outcome.updated_input).toBeUndefined()
    const left = await fire([hook('a')], { a: () => ({ decision: 'ask', updated_input: { command: 'b' } }) })
    expect(left.outcome).toEqual({ decision: 'ask', updated_input: { command: 'b' } })
  })

  it('grants nothing for later when the operation is refused or left to a person', async () => {
    const update = (behavior: 'allow' | 'deny') =>
      ({ scope: 'session', tool_name_pattern: 'Shell', behavior }) as const
    const grant = () => ({
      decision: 'allow' as const,
      updated_permissions: [update('allow'), update('deny')],
    })
    const asked = { ...event, event_type: 'permission_request' }
    const permissions = async (decision: 'allow' | 'ask' | 'deny') => {
      const request = (name: string) => hook(name, { events: ['permission_request'] })
      const lent: Lent = {
        execute: async ({ hook: { name } }) => ({ outcome: name === 'a' ? grant() : { decision } }),
        background: () => {},
      }
      return (await run(plan(rank([request('a'), request('b')])), asked, lent)).outcome.updated_permissions
    }
    expect(await permissions('allow')).toEqual([update('allow'), update('deny')])
    expect(await permissions('ask')).toEqual([update('deny')])
    expect(await permissions('deny')).toEqual([update('deny')])
  })

  it('waits longer before each further attempt, or as long as a server asks, and reports how long it all took', async () => {
    const pauses = async (more: Parameters<typeof failure>[1]) => {
      const at: number[] = []
      const { reports } = await fire([hook('a', { retries: 3, timeout: 20_000 })], {
        a: () => {
          at.push(performance.now())
          return failure('busy', more)
        },
      })
      expect(reports[0]!.duration_ms).toBeGreaterThanOrEqual(at.at(-1)! - at[0]! - 1)
      return at.slice(1).map((time, index) => time - at[index]!)
    }
    const [first, second, third] = (await pauses({})) as [number, number, number]
    expect(first).toBeGreaterThanOrEqual(49)
    expect(second).toBeGreaterThanOrEqual(99)
    expect(third).toBeGreaterThanOrEqual(199)
    for (const asked of await pauses({ retry_after: 300 })) expect(asked).toBeGreaterThanOrEqual(299)
  })

  it('tries again after a time limit of one attempt', async () => {
    let calls = 0
    const direct = () => (calls++ === 0 ? new Promise(() => {}) : {})
    const ran = await fire([{ ...hook('a', { retries: 1, timeout: 50 }), direct }], {})
    expect(ran.reports[0]).toMatchObject({ status: 'allowed', attempts: 2 })
  })

  it('does not wait for a time in which no attempt would fit', async () => {
    const start = performance.now()
    const ran = await fire([hook('a', { retries: 3, budget: 'total', timeout: 5000 })], {
      a: () => failure('busy', { retry_after: 6000 }),
    })
    expect(ran.reports[0]).toMatchObject({ status: 'failed', attempts: 1 })
    expect(performance.now() - start).toBeLessThan(4500)
  })

  it('keeps all attempts and pauses inside one budget, a hundred times in a row', async () => {
    const once = async () => {
      // Three attempts fit, the fourth does not.
      const total = 300 + Math.floor(Math.random() * 70)
      const attempts: { from: number; to?: number; timeout: number }[] = []
      const lent: Lent = {
        async execute(_planned, _event, { timeout }) {
          const attempt: (typeof attempts)[number] = { from: performance.now(), timeout }
          attempts.push(attempt)
          await sleep(10)
          attempt.to = performance.now()
          return { outcome: failure('busy') }
        },
        background: () => {},
      }
      const planned = hook('a', { retries: 3, budget: 'total', timeout: total, on_failure: 'closed' })
      const ran = await run(plan([planned]), event, lent)
      const began = attempts[0]!.from
      // What is left when an attempt starts is less than what was left when the one before had ended.
      for (const [index, { to }] of attempts.slice(0, -1).entries())
        expect(attempts[index + 1]!.timeout).toBeLessThanOrEqual(total - (to! - began))
      expect(attempts.at(-1)!.timeout).toBeGreaterThan(0)
      expect(attempts.length).toBeLessThanOrEqual(3)
      expect(ran.reports[0]!.attempts).toBe(attempts.length)
      // An attempt may be cut off on a busy machine.
      expect(ran.outcome.reason).toMatch(
        new RegExp(`^hook \`a\` failed after ${attempts.length} attempt\\(s\\): (busy$|timed out)`),
      )
    }
    await Promise.all(Array.from({ length: 100 }, once))
  })

  it('reports a hook that is barred as skipped', async () => {
    const barred = { ...hook('a'), gate: () => 'untrusted' as const }
    expect((await fire([barred], { a: deny })).statuses).toEqual({ a: 'untrusted' })
  })
})

describe('a hook that is only for what nobody has refused', () => {
  const last = (asked: string[], more: Partial<Hook> = {}) => {
    const planned = hook('last', { order: 10, unless_refused: true, ...more })
    const rest = () => asked.push('matched') > 0
    const load = async () => void asked.push('loaded')
    return { ...planned, matcher: { ...planned.matcher, rest, load } }
  }
  const go = async (answer: Outcome, asked: string[]) => {
    const lent: Lent = {
      execute: async ({ hook: { name } }) => ({ outcome: name === 'last' ? { decision: 'deny' } : answer }),
      background: () => {},
    }
    return run(plan(rank([hook('first'), last(asked)])), event, lent)
  }

  it('is loaded and matched when its turn comes', async () => {
    for (const answer of [{}, { decision: 'ask' }, { decision: 'allow' }] as Outcome[]) {
      const asked: string[] = []
      const ran = await go(answer, asked)
      expect([ran.outcome.decision, asked]).toEqual(['deny', ['loaded', 'matched']])
    }
  })

  it('is neither loaded, matched nor reported after a refusal', async () => {
    for (const answer of [{ decision: 'deny' }, { stop: 'enough' }] as Outcome[]) {
      const asked: string[] = []
      const ran = await go(answer, asked)
      expect([ran.reports.map(({ name }) => name), asked]).toEqual([['first'], []])
    }
  })
})

describe('a hook of which nobody can tell whether it matches', () => {
  const when = 'tool_input.path == "x"'

  it('has failed: open goes on, closed blocks, one that cannot block does not', async () => {
    const all = await fire(
      [
        hook('open', { matcher: { when } }),
        hook('async', { matcher: { when }, mode: 'background', blocks: false, on_failure: 'closed' }),
        hook('other', { matcher: { when, command: '^rm' }, on_failure: 'closed' }),
      ],
      {},
    )
    expect(all.outcome).toEqual({})
    expect(all.reports).toMatchObject([
      { name: 'open', status: 'failed', attempts: 0, error: expect.stringContaining('No such key: path') },
      { name: 'async', status: 'failed' },
    ])
    const closed = await fire([hook('closed', { matcher: { when }, on_failure: 'closed' })], {})
    expect(closed.outcome).toMatchObject({ decision: 'deny', reason: expect.stringContaining('No such key') })
    expect(closed.started).toEqual([])
  })

  it('since time ran out runs when it would fail open, and blocks when it would not', async () => {
    const many = { ...event, tool_input: { list: Array.from({ length: 400 }, (_, i) => i) } }
    const slow = 'tool_input.list.all(a, tool_input.list.all(b, tool_input.list.all(c, a + b + c >= 0)))'
    const go = async (on_failure: 'open' | 'closed') => {
      const planned = hook('a', { matcher: { when: slow }, on_failure })
      await planned.matcher.load(many)
      const lent = { execute: async () => ({ outcome: { log: 'ran' } }), background: () => {} }
      return (await run(plan([planned]), many, lent)).reports[0]!.status
    }
    expect([await go('open'), await go('closed')]).toEqual(['allowed', 'failed'])
  })
})

describe('hooks that answer at once', () => {
  const answers = (late: string[]): Lent => ({
    execute: ({ hook: { name } }) => {
      const answer = { outcome: { log: name } }
      return late.includes(name) ? sleep(1, answer) : answer
    },
    background: () => {},
  })
  const steps = plan(rank(['a', 'b', 'c', 'd'].map((name) => hook(name))))

  it('are not waited for', () => {
    const ran = run(steps, event, answers([]))
    expect('reports' in ran && ran.reports.map(({ log }) => log)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('keep their order beside those that take time', async () => {
    const { reports } = await run(steps, event, answers(['b', 'd']))
    expect(reports.map(({ log }) => log)).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('an answer that cannot be carried out', () => {
  it('is a failure, by the policy of its hook', async () => {
    const answers = {
      a: () => ({ decision: 'block' }) as unknown as Outcome,
      b: () => ({ updated_input: {} }),
    }
    const open = await fire([hook('a'), hook('b')], answers)
    expect([open.outcome, open.statuses]).toEqual([{}, { a: 'failed', b: 'failed' }])
    const closed = await fire([hook('b', { on_failure: 'closed' })], answers)
    expect(closed.outcome).toMatchObject({ decision: 'deny', reason: expect.stringContaining('it is empty') })
  })

  it('still refuses when that is what it says', async () => {
    const denied = { decision: 'deny', reason: 5, updated_input: null } as unknown as Outcome
    const { outcome, statuses } = await fire([hook('a')], { a: () => denied })
    expect(statuses).toEqual({ a: 'blocked' })
    expect(outcome).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('Blocked by a hook that'),
    })
  })
})
