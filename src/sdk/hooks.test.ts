import { setImmediate } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { assert, describe, expect, it } from 'vitest'
import { createHooks } from '../index.ts'

const given = { session_id: 's', work_dir: '/', tool_name: 'Shell', tool_input: { command: 'deploy prod' } }

describe('hooks in process', () => {
  it('run for their event and tool, and can be removed', async () => {
    const hooks = createHooks()
    const off = hooks.on(
      'before_tool',
      (event) =>
        String(event.tool_input?.command).includes('prod')
          ? { decision: 'deny', reason: 'not on prod' }
          : undefined,
      { matcher: { tool: 'Shell' }, name: 'guard' },
    )
    expect(await hooks.fire('before_tool', given)).toMatchObject({
      decision: 'deny',
      reason: 'not on prod',
      hooks: [{ name: 'guard', status: 'blocked' }],
    })
    expect((await hooks.fire('before_tool', { ...given, tool_name: 'ReadFile' })).hooks).toEqual([])
    off()
    expect(await hooks.fire('before_tool', given)).toMatchObject({ decision: 'allow', hooks: [] })
  })

  it('may use the fields of the canonical tools as text', async () => {
    const hooks = createHooks()
    hooks.on('before_tool', async (event) => {
      if (event.tool_name === 'Shell' && /prod/.test(event.tool_input.command))
        return { decision: 'deny', reason: 'not on prod' }
      return
    })
    expect((await hooks.fire('before_tool', given)).reason).toBe('not on prod')
    expect((await hooks.fire('before_tool', {})).decision).toBe('allow')
  })

  it('accept the names of other systems for events', async () => {
    const hooks = createHooks()
    hooks.on('PreToolUse', () => ({ decision: 'deny', reason: 'x' }))
    expect((await hooks.fire('preToolUse', given)).event_type).toBe('before_tool')
    // @ts-expect-error there is no such event
    expect(() => hooks.on('before_toool', () => undefined)).toThrow('Did you mean "before_tool"?')
  })

  it('fail open unless closed, and never throw', async () => {
    const hooks = createHooks()
    hooks.on(
      'before_tool',
      () => {
        throw new Error('boom')
      },
      { name: 'open' },
    )
    expect(await hooks.fire('before_tool', given)).toMatchObject({
      decision: 'allow',
      hooks: [{ status: 'failed', error: 'boom' }],
    })
    hooks.on(
      'before_tool',
      async () => {
        throw new Error('bang')
      },
      { name: 'closed', on_failure: 'closed' },
    )
    expect(await hooks.fire('before_tool', given)).toMatchObject({
      decision: 'deny',
      reason: 'hook `closed` failed after 1 attempt(s): bang',
    })
  })

  it('are left behind at their time limit; what they say later is not heard', async () => {
    const hooks = createHooks()
    const late = Promise.withResolvers<{ decision: 'deny' }>()
    hooks.on('before_tool', () => late.promise, { name: 'slow', timeout: 40 })
    hooks.on('before_tool', () => ({ additional_context: ['after'] }), { name: 'next' })
    const result = await hooks.fire('before_tool', given)
    late.resolve({ decision: 'deny' })
    await setImmediate()
    expect(result).toMatchObject({
      decision: 'allow',
      additional_context: ['after'],
      hooks: [{ status: 'timed_out' }, { status: 'allowed' }],
    })
  })

  it('pass a rewritten input on', async () => {
    const hooks = createHooks()
    hooks.on('before_tool', () => undefined)
    hooks.on('before_tool', () => ({ updated_input: { command: 'ls' } }))
    hooks.on('before_tool', (event) => ({ additional_context: [String(event.tool_input?.command)] }))
    expect(await hooks.fire('before_tool', given)).toMatchObject({
      updated_input: { command: 'ls' },
      additional_context: ['ls'],
    })
  })

  it('reject an answer that is not an outcome', async () => {
    const hooks = createHooks()
    hooks.on('before_tool', (() => 'no') as never, { name: 'odd' })
    expect((await hooks.fire('before_tool', given)).hooks[0]).toMatchObject({
      status: 'failed',
      error: 'answered with a string, not an outcome',
    })
  })

  // biome-ignore lint/suspicious/noThenProperty: libraries have promises of their own
  const THENABLE = { then: (done: (value: unknown) => void) => done({ decision: 'deny' }) }
  class Deny {
    get decision() {
      return 'deny'
    }
  }
  const THROWS = new Proxy({ decision: 'deny' }, { get: () => assert.fail('not readable') })
  it.each<[string, () => unknown]>([
    ['a list', () => []],
    ['a Map', () => new Map([['decision', 'deny']])],
    ['a class whose fields are getters', () => new Deny()],
    ['an object that throws when it is read', () => THROWS],
    ['a promise of such an object', async () => new Map()],
  ])('fail by their policy when they answer with %s, alone and with retries', async (_, answer) => {
    for (const retries of [0, 1])
      for (const on_failure of ['open', 'closed'] as const) {
        const hooks = createHooks()
        hooks.on('before_tool', answer as never, { on_failure, retries })
        const { decision, hooks: reports } = await hooks.fire('before_tool', given)
        expect([decision, reports[0]!.status]).toEqual([on_failure === 'open' ? 'allow' : 'deny', 'failed'])
      }
  })

  it.each<[string, () => unknown]>([
    ['a promise of another realm', runInNewContext(`async () => ({ decision: 'deny' })`)],
    ['an object of another realm', runInNewContext(`() => ({ decision: 'deny' })`)],
    ['a promise of a library', () => THENABLE],
    ['inherited fields', () => Object.create({ decision: 'deny' })],
  ])('deny with %s, alone and with retries', async (_, answer) => {
    for (const retries of [0, 1]) {
      const hooks = createHooks()
      hooks.on('before_tool', answer as never, { retries })
      expect((await hooks.fire('before_tool', given)).decision).toBe('deny')
    }
  })
})

it('warns of a hook whose pattern could never match', async () => {
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
  createHooks().on('before_tool', () => ({ decision: 'deny' }), { name: 'guard', matcher: { tool: '(' } })
  expect((await warned).message).toMatch(/^hook "guard" never runs: matcher\.tool: /)
})

it('warns of an option that does not exist, and refuses values that cannot be', async () => {
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
  createHooks().on('before_tool', () => {}, { name: 'guard', onFailure: 'closed' } as never)
  expect((await warned).message).toMatch(/^hook "guard": there is no option "onFailure".* on_failure/)
  for (const options of [{ retries: 4 }, { retries: Number.NaN }, { timeout: 0 }, { priority: -1 }])
    expect(() => createHooks().on('before_tool', () => {}, options)).toThrow(/must be/)
})
