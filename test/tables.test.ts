/** A row added to a table of src/spec is carried everywhere; a row that lacks a part does not compile. */

import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { effectLines } from '../src/cli/fire.ts'
import { matcherOf } from '../src/dialects/agenthooks/hook.ts'
import { readOutcome } from '../src/dialects/agenthooks/outcome.ts'
import { matcherSchema, outcomeSchema } from '../src/dialects/agenthooks/schema.ts'
import { CHECKS, type EventCheck } from '../src/engine/checks.ts'
import { matching } from '../src/engine/match.ts'
import { accepted, accepting, merging, refusing, resulting } from '../src/engine/merge.ts'
import { Unjudged } from '../src/engine/verdict.ts'
import { askedSchema } from '../src/executors/answer-schema.ts'
import { resultSchema } from '../src/host/http/openapi-schemas.ts'
import { degrading } from '../src/pipeline/degrade.ts'
import { EFFECTS, type EffectRow } from '../src/spec/effects.ts'
import type { HookEvent } from '../src/spec/event.ts'
import { eventRow } from '../src/spec/event.ts'
import { MATCHER_FIELDS, type Matcher, type MatcherRow, matcherWords } from '../src/spec/matcher.ts'
import type { Effect, Outcome } from '../src/spec/outcome.ts'
import { TEXT, TEXTS } from '../src/spec/schema.ts'
import { fieldsPage } from '../tools/fields-page.ts'
import { pythonResult } from '../tools/python-result.ts'
import { legend } from '../tools/support-table.ts'

const event: HookEvent = {
  event_type: 'before_tool',
  timestamp: '2026-01-01T00:00:00Z',
  session_id: 's',
  work_dir: '/project',
  context: {},
  tool_name: 'Paint',
  tool_input: { colour: 'red' },
}

describe('a matcher field added in a fixture', () => {
  const colours: MatcherRow<typeof TEXTS> = {
    schema: TEXTS,
    of: 'tool call',
    written: 'matcher.colour',
    about: 'The colours that the hook is for.',
    words: (wanted) => `colour ${wanted.join(' or ')}`,
  }
  const rows = { ...MATCHER_FIELDS, colours }
  const check: EventCheck<readonly string[]> = {
    quick: (wanted) => (seen) => {
      const { colour } = seen.tool_input as { colour: string }
      return wanted.includes(colour) ? null : `the colour is ${colour}`
    },
  }
  const { createMatcher, checkMatcher } = matching(rows, { ...CHECKS, colours: check })
  const matcher = (...wanted: string[]) => ({ colours: wanted }) as Matcher

  it('is judged by its check, also inside other matchers', async () => {
    const explain = async (given: Matcher) => {
      const compiled = createMatcher(given)
      await compiled.load(event)
      return compiled.explain(event)
    }
    expect(await explain(matcher('red', 'blue'))).toMatchObject({ matched: true })
    expect(await explain(matcher('blue'))).toEqual({ matched: false, because: 'the colour is red' })
    expect(await explain({ not: matcher('red') })).toMatchObject({ matched: false })
    expect(await explain({ any: [{ tool: 'X' }, matcher('red')] })).toMatchObject({ matched: true })
    expect(await checkMatcher(matcher('red'))).toEqual([])
  })

  it('is read from a HOOK.md, as one item or a list', () => {
    const schema = matcherSchema(rows)
    expect(matcherOf({ matcher: schema.parse({ colour: 'red' }) }, true, rows).matcher).toEqual({
      colours: ['red'],
    })
    expect(matcherOf({ matcher: schema.parse({ colour: ['red'] }) }, false, rows)).toEqual({
      matcher: {},
      ignored: ['matcher.colour'],
    })
    expect(schema.safeParse({ colour: 5 }).success).toBe(false)
    expect(matcherSchema().safeParse({ colour: 'red' }).success).toBe(false)
  })

  it('is in the schema, the documentation and the words for people', () => {
    expect(z.toJSONSchema(matcherSchema(rows), { io: 'input' }).properties).toHaveProperty(
      'colour.description',
      colours.about,
    )
    expect(fieldsPage(rows, EFFECTS)).toContain(
      `\`matcher.colour\` | one or more: text | tool call | ${colours.about}`,
    )
    expect(matcherWords(matcher('red', 'blue'), rows)).toBe('colour red or blue')
  })
})

describe('a matcher field that nothing knows', () => {
  const unknown = { tool: 'Paint', colours: ['red'] } as Matcher

  it('is reported, and cannot be judged: its hook fails', async () => {
    const { createMatcher, checkMatcher } = matching(MATCHER_FIELDS, CHECKS)
    for (const given of [unknown, { any: [unknown] }, { not: unknown }, { not: { not: unknown } }]) {
      const compiled = createMatcher(given)
      await compiled.load(event)
      const judged = compiled.rest?.(event)
      expect(judged).toBeInstanceOf(Unjudged)
      expect((judged as Unjudged).because).toContain('unknown condition `colours`')
      expect(compiled.explain(event).because).toContain('unknown condition `colours`')
      expect(await checkMatcher(given)).toHaveLength(1)
    }
    expect(matcherWords(unknown)).toBe('tool Paint, colours, which this version does not know')
  })
})

describe('an effect added in a fixture', () => {
  const confetti: EffectRow<typeof TEXT> = {
    schema: TEXT,
    about: 'What falls from the ceiling.',
    label: 'confetti',
    events: 'listed',
    merge: (a, b) => (a && b ? `${a} and ${b}` : (b ?? a)),
    refused: () => undefined,
    needs: {
      effect: 'confetti',
      otherwise: (colour, agent) => `${agent} has no ${colour} confetti`,
      letter: 'F',
      words: 'it can celebrate',
    },
    result: { empty: null },
    asked: 'The colour of the confetti.',
  }
  const rows = { ...EFFECTS, confetti }
  const asked = (colour: string, more: Outcome = {}) => ({ ...more, confetti: colour }) as Outcome
  const hook = { input_merge: 'replace', blocks: true } as const
  const able = (...effects: string[]) => ({ event: 'x', deny: true, effects: effects as Effect[] })

  it('is accepted only on events that list it', () => {
    const warnings: string[] = []
    const accept = accepting(rows)
    expect(accept(asked('red'), hook, 'before_tool', warnings)).toEqual({})
    expect(warnings).toEqual(['confetti has no meaning on before_tool: ignored'])
    expect(
      accepting({ ...rows, confetti: { ...confetti, events: 'all' } })(asked('red'), hook, 'x', []),
    ).toEqual(asked('red'))
    expect(accepted(asked('red'), hook, 'before_tool', warnings)).toEqual({})
    expect(warnings[1]).toBe('an answer has no field "confetti": ignored')
  })

  it('is merged by its rule, and left out of what is refused', () => {
    expect(merging(rows)(asked('red'), asked('blue'), hook)).toEqual(asked('red and blue'))
    expect(refusing(rows)(asked('red', { decision: 'deny' }))).toEqual({ decision: 'deny' })
  })

  it('is degraded by its rule', () => {
    const degrade = degrading(rows)
    expect(degrade(asked('red'), able('confetti'), 'Agent')).toEqual({ outcome: asked('red'), notes: [] })
    expect(degrade(asked('red'), able(), 'Agent')).toEqual({
      outcome: { decision: 'deny', reason: 'Agent has no red confetti' },
      notes: ['Agent has no red confetti'],
    })
    const droppable = { ...confetti, needs: { ...confetti.needs!, otherwise: 'dropped' as const } }
    expect(degrading({ ...rows, confetti: droppable })(asked('red'), able(), 'Agent')).toEqual({
      outcome: {},
      notes: ['Agent takes no confetti on this event: dropped'],
    })
  })

  it('is in the result, its OpenAPI schema and the lines for people', () => {
    const toResult = resulting(rows)
    expect(toResult(event, { outcome: asked('red'), reports: [] })).toMatchObject({ confetti: 'red' })
    expect(toResult(event, { outcome: {}, reports: [] })).toMatchObject({ confetti: null })
    expect(resultSchema(rows)).toMatchObject({
      required: expect.arrayContaining(['confetti']),
      properties: { confetti: { type: ['string', 'null'], description: confetti.about } },
    })
    expect(effectLines({ confetti: 'red' }, rows)).toEqual([['confetti', 'red']])
  })

  it('is read from a HOOK.md, from what a script prints, and asked of a model', () => {
    expect(outcomeSchema(rows).parse({ confetti: 'red' })).toEqual({ confetti: 'red' })
    expect(outcomeSchema().safeParse({ confetti: 'red' }).success).toBe(false)
    expect(readOutcome({ confetti: 'red' }, eventRow('before_tool'), rows).outcome).toEqual(asked('red'))
    expect(readOutcome({ confetti: 5 }, eventRow('before_tool'), rows)).toEqual({
      outcome: {},
      warnings: [],
      unread: ['`confetti` was ignored: it must be a text, not 5.'],
    })
    expect(askedSchema(rows)).toHaveProperty('properties.confetti.description', confetti.asked)
  })

  it('is in the documentation and the Python types', () => {
    expect(fieldsPage(MATCHER_FIELDS, rows)).toContain(
      `\`confetti\` | text | where the event has it | ${confetti.about} | denied, and says why`,
    )
    expect(legend(rows)).toContain('**F** it can celebrate')
    expect(pythonResult(rows)).toContain('def confetti(self) -> str | None:')
  })
})

// The compiler is the test: an `@ts-expect-error` over a line that compiles is itself an error.
it('a row or a check that is left out does not compile', () => {
  const { command: _check, ...checks } = CHECKS
  // @ts-expect-error a field of the table without its check
  const missing: typeof CHECKS = checks
  // @ts-expect-error a row without words for people
  const wordless: MatcherRow = { schema: TEXTS, of: 'event', written: null, about: 'x' }
  // @ts-expect-error a row that does not say where it is written
  const unwritten: MatcherRow = { schema: TEXTS, of: 'event', about: 'x', words: () => '' }
  // @ts-expect-error an effect that does not say what becomes of it where an agent cannot do it
  const effect: EffectRow<typeof TEXT> = { ...EFFECTS.stop, needs: { effect: 'x', letter: 'X', words: '' } }
  const { merge: _merge, ...unmerged } = EFFECTS.log
  // @ts-expect-error an effect without its merge rule
  const ruleless: EffectRow<typeof TEXT> = unmerged
  // @ts-expect-error a matcher of no known field
  const unknown: Matcher = { colours: ['red'] }
  expect([missing, wordless, unwritten, effect, ruleless, unknown]).toHaveLength(6)
})
