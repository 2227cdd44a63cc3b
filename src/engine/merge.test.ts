import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../spec/outcome.ts'
import { isBlock, merge } from './merge.ts'

const replace = { input_merge: 'replace' } as const
const all = (outcomes: Outcome[], hook: { input_merge: 'replace' | 'shallow' } = replace) =>
  outcomes.reduce((merged, next) => merge(merged, next, hook), {} as Outcome)

describe('merging', () => {
  it('lets the strongest decision win, with its own reason', () => {
    const deny = { decision: 'deny', reason: 'no' } as const
    const ask = { decision: 'ask', reason: 'sure?' } as const
    const allow = { decision: 'allow', reason: 'fine' } as const
    expect(all([allow, deny, ask])).toEqual(deny)
    expect(all([allow, ask])).toEqual(ask)
    expect(all([{}, allow])).toEqual(allow)
  })

  it('keeps the reason of the first of equals', () => {
    expect(
      all([
        { decision: 'deny', reason: 'first' },
        { decision: 'deny', reason: 'second' },
      ]).reason,
    ).toBe('first')
  })

  it('prefers a retry to an allow, and a deny to a retry', () => {
    expect(
      all([
        { decision: 'allow', reason: 'a' },
        { retry: 5, reason: 'later' },
      ]),
    ).toMatchObject({ retry: 5, reason: 'later' })
    expect(
      all([
        { retry: 5, reason: 'later' },
        { decision: 'deny', reason: 'no' },
      ]).reason,
    ).toBe('no')
  })

  it('takes the last rewritten input, or joins them field by field where the hook says so', () => {
    const inputs = [{ updated_input: { a: 1 } }, { updated_input: { b: 2 } }]
    expect(all(inputs).updated_input).toEqual({ b: 2 })
    expect(all(inputs, { input_merge: 'shallow' }).updated_input).toEqual({ a: 1, b: 2 })
  })

  it('joins lists, sorts watched paths, keeps the first stop and the longest delay', () => {
    expect(
      all([
        {
          additional_context: ['x'],
          watch_paths: ['/b', '/a'],
          stop: 'one',
          retry: 10,
          initial_user_message: 'a',
        },
        { additional_context: ['y'], watch_paths: ['/a'], stop: 'two', retry: 5, initial_user_message: 'b' },
      ]),
    ).toEqual({
      additional_context: ['x', 'y'],
      watch_paths: ['/a', '/b'],
      stop: 'one',
      retry: 10,
      initial_user_message: 'a',
    })
  })

  const outcome: fc.Arbitrary<Outcome> = fc.record(
    {
      decision: fc.constantFrom('allow', 'ask', 'deny'),
      reason: fc.string(),
      stop: fc.string({ minLength: 1 }),
      retry: fc.nat(),
      additional_context: fc.array(fc.string()),
      watch_paths: fc.array(fc.string()),
      skip: fc.boolean(),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Outcome>

  it('is a block as soon as one of them is, whatever the order', () => {
    fc.assert(
      fc.property(fc.array(outcome), (outcomes) => {
        expect(isBlock(all(outcomes))).toBe(outcomes.some(isBlock))
      }),
    )
  })

  it('does not depend on how hooks are grouped', () => {
    fc.assert(
      fc.property(outcome, outcome, outcome, (a, b, c) => {
        const left = merge(merge(a, b, replace), c, replace)
        const right = merge(a, merge(b, c, replace), replace)
        expect({ ...left, reason: null, watch_paths: null }).toEqual({
          ...right,
          reason: null,
          watch_paths: null,
        })
      }),
    )
  })
})
