import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { type Definition, defineHook } from '../../src/dialects/a3s/register.ts'
import { aHook, anEvent } from '../../src/dialects/a3s/testing.ts'
import { compileMatcher } from '../../src/engine/match.ts'
import { fireSteps, type Step } from './fire-source.ts'

interface Handler {
  id: string
  event?: string
  matcher?: object
  config?: object
  answers?: unknown
  throws?: string
  throws_value?: unknown
  sleeps?: number
  awaits?: number
  blocks_if?: Record<string, string[]>
}

interface Case extends Step {
  id: string
  text: string
  matcher?: object
  calls?: [tool: string, args: Record<string, unknown>, matches: boolean][]
  handlers?: Handler[]
  source?: object
  steps?: Step[]
  seen?: object
  covered_by?: string[]
}

type Payload = Record<string, unknown>

const cases = load(readFileSync(join(import.meta.dirname, 'a3s.yaml'), 'utf8')) as Case[]

describe('A3S', () => {
  it.each(cases.filter(({ covered_by }) => !covered_by))('$id: $text', async (each) => {
    if (each.calls) await checkMatcher(each.matcher!, each.calls)
    else await checkFiring(each)
  })

  it('has a check for each of the 52 cases', () => {
    const ids = Array.from({ length: 52 }, (_, index) => `A${String(index + 1).padStart(2, '0')}`)
    expect([...new Set(cases.map(({ id }) => id))]).toEqual(ids)
  })
})

async function checkFiring(each: Case): Promise<void> {
  const seen: Payload[] = []
  const registered = each.handlers?.map((handler) =>
    defineHook(handler.event ?? 'PreToolUse', definition(handler, seen)),
  )
  const { source, steps = [each] } = each
  await fireSteps({ format: 'a3s', ...(source && { source }), ...(registered && { registered }) }, steps)
  if (each.seen) expect(seen.at(-1)).toMatchObject(each.seen)
}

function definition({ id, matcher, config, ...acts }: Handler, seen: Payload[]): Definition {
  return {
    id,
    matcher,
    config,
    async handler(event) {
      seen.push(event)
      if (acts.sleeps) await sleep(acts.sleeps)
      while (acts.awaits && seen.length < acts.awaits) await sleep(5)
      if (acts.throws !== undefined) throw new Error(acts.throws)
      if (acts.throws_value !== undefined) throw acts.throws_value
      if (acts.blocks_if && !holds(acts.blocks_if, event.args as Payload)) return { action: 'continue' }
      return acts.answers
    },
  }
}

function holds(conditions: Record<string, string[]>, args: Payload): boolean {
  return Object.entries(conditions).some(([field, patterns]) =>
    patterns.some((pattern) => new RegExp(pattern).test(String(args[field]))),
  )
}

async function checkMatcher(matcher: object, calls: NonNullable<Case['calls']>): Promise<void> {
  const compiled = await compileMatcher(aHook('PreToolUse', { matcher }).matcher)
  for (const [tool_name, tool_input, matches] of calls) {
    const { matched } = compiled.explain(anEvent({ tool_name, tool_input }))
    expect([tool_name, tool_input, matched]).toEqual([tool_name, tool_input, matches])
  }
}
