import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Capability } from '../spec/dialect.ts'
import type { Effect, Outcome } from '../spec/outcome.ts'
import { degradeOutcome } from './degrade.ts'

const can = (deny: boolean, ...effects: Effect[]): Capability => ({ event: 'before_tool', deny, effects })

describe('what an agent cannot do', () => {
  it('passes what it can do as it is', () => {
    const outcome: Outcome = { updated_input: { a: 1 }, additional_context: ['x'] }
    expect(degradeOutcome(outcome, can(true, 'updated_input', 'additional_context'), 'Agent')).toEqual({
      outcome,
      notes: [],
    })
  })

  it('turns an ask it cannot show into a deny that says why', () => {
    const { outcome, notes } = degradeOutcome({ decision: 'ask', reason: 'push?' }, can(true), 'Agent')
    expect(outcome).toMatchObject({
      decision: 'deny',
      reason: expect.stringMatching(/^push\? \(Agent cannot ask/),
    })
    expect(notes).toHaveLength(1)
  })

  it('turns a rewrite it cannot take into a deny', () => {
    const { outcome } = degradeOutcome({ updated_input: { command: 'ls' } }, can(true), 'Agent')
    expect(outcome).toMatchObject({ decision: 'deny', reason: expect.stringContaining('rewrote the input') })
    expect(outcome.updated_input).toBeUndefined()
  })

  it('turns a stop and a retry it cannot do into a deny', () => {
    expect(degradeOutcome({ stop: 'enough' }, can(true), 'Agent').outcome).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('enough'),
    })
    expect(degradeOutcome({ retry: 50 }, can(true), 'Agent').outcome.decision).toBe('deny')
  })

  it('says what it drops, and that a block is only reported where nothing can be stopped', () => {
    const { outcome, notes } = degradeOutcome(
      { decision: 'deny', reason: 'no', additional_context: ['x'] },
      can(false),
      'Agent',
    )
    expect(outcome).toEqual({ reason: 'no', user_message: 'no' })
    expect(notes.join('\n')).toMatch(/takes no additional_context[\s\S]*only reported/)
  })

  it('is never weaker: what would not simply be allowed never becomes an allow where a deny is obeyed', () => {
    const outcome = fc.record(
      {
        decision: fc.constantFrom('allow', 'ask', 'deny'),
        stop: fc.string({ minLength: 1 }),
        retry: fc.nat(),
        updated_input: fc.constant({ a: 1 }),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<Outcome>
    const effects = fc.subarray<Effect>(['ask', 'updated_input', 'stop', 'retry', 'additional_context'])
    fc.assert(
      fc.property(outcome, effects, (wanted, known) => {
        const { outcome: got } = degradeOutcome(wanted, can(true, ...known), 'Agent')
        const isPlain = (o: Outcome) =>
          o.decision !== 'deny' &&
          o.decision !== 'ask' &&
          o.stop === undefined &&
          o.retry === undefined &&
          o.updated_input === undefined
        if (!isPlain(wanted)) expect(isPlain(got)).toBe(false)
      }),
    )
  })
})
