import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../spec/hook.ts'
import { failure, type Outcome } from '../spec/outcome.ts'
import { createMatcher } from './match.ts'
import { group, type Planned, rank } from './plan.ts'
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
  const ran = await run(rank(hooks), event, lent)
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

  it('moves a hook behind those it comes after, and survives a circle', () => {
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

  it('groups neighbours that run concurrently', () => {
    const groups = group([
      hook('a'),
      hook('b', { mode: 'concurrent' }),
      hook('c', { mode: 'concurrent' }),
      hook('d'),
      hook('e', { mode: 'background' }),
    ])
    expect(groups.map((g) => g.hooks.map((p) => p.hook.name))).toEqual([['a'], ['b', 'c'], ['d']])
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
    const ran = await fire([hook('a', { retries: 2, budget: 'total', timeout: 2000 })], {
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

  it('reports a hook that is barred as skipped', async () => {
    const barred = { ...hook('a'), gate: () => 'untrusted' as const }
    expect((await fire([barred], { a: deny })).statuses).toEqual({ a: 'untrusted' })
  })
})
