/** A row added to a table of src/spec is carried everywhere; a row that lacks a part does not compile. */

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { matcherOf } from '../src/dialects/agenthooks/hook.ts'
import { matcherSchema } from '../src/dialects/agenthooks/schema.ts'
import { CHECKS, type EventCheck } from '../src/engine/checks.ts'
import { matching } from '../src/engine/match.ts'
import type { HookEvent } from '../src/spec/event.ts'
import { MATCHER_FIELDS, type Matcher, type MatcherRow, matcherWords } from '../src/spec/matcher.ts'
import { TEXTS } from '../src/spec/schema.ts'
import { fieldsPage } from '../tools/fields-page.ts'

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
    expect(fieldsPage(rows)).toContain(
      `\`matcher.colour\` | one or more: text | tool call | ${colours.about}`,
    )
    expect(matcherWords(matcher('red', 'blue'), rows)).toBe('colour red or blue')
  })
})

describe('a matcher field that nothing knows', () => {
  const unknown = { tool: 'Paint', colours: ['red'] } as Matcher

  it('is reported, and its hook never runs', async () => {
    const { createMatcher, checkMatcher } = matching(MATCHER_FIELDS, CHECKS)
    for (const given of [unknown, { any: [unknown] }, { not: unknown }, { not: { not: unknown } }]) {
      const compiled = createMatcher(given)
      await compiled.load(event)
      expect(compiled.rest?.(event)).toBe(false)
      expect(compiled.explain(event)).toEqual({
        matched: false,
        because: 'unknown condition `colours`: this version of crosshook cannot judge it',
      })
      expect(await checkMatcher(given)).toHaveLength(1)
    }
    expect(matcherWords(unknown)).toBe('tool Paint, colours, which this version does not know')
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
  // @ts-expect-error a matcher of no known field
  const unknown: Matcher = { colours: ['red'] }
  expect([missing, wordless, unwritten, unknown]).toHaveLength(4)
})
