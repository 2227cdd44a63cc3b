import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { read } from '../../src/dialects/amazon-q/config.ts'
import { encode } from '../../src/dialects/amazon-q/events.ts'
import { compileMatcher as compile } from '../../src/dialects/amazon-q/matcher.ts'
import { aHook, anEvent } from '../../src/dialects/amazon-q/testing.ts'
import { compileMatcher } from '../../src/engine/match.ts'
import { fireSteps, type Step } from './fire-source.ts'

interface Case extends Step {
  id: string
  text: string
  matcher?: string | null
  tools?: Record<string, boolean>
  hooks?: object
  source?: object
  steps?: Step[]
  read?: object
  gives?: object[]
  prompt?: { repeat: number; of: string; then?: string }
  bytes?: number
  variable?: string
}

const cases = load(readFileSync(join(import.meta.dirname, 'amazon-q.yaml'), 'utf8')) as Case[]

describe('Amazon Q', () => {
  it.each(cases)('$id: $text', async (each) => {
    if (each.tools) await checkMatcher(each.matcher ?? undefined, each.tools)
    else if (each.read) checkFile(each.read, each.gives!)
    else if (each.prompt) checkPrompt(each)
    else
      await fireSteps(
        { format: 'amazon-q', source: each.source ?? { hooks: each.hooks } },
        each.steps ?? [each],
      )
  })

  it('has a check for each of the 43 cases', () => {
    const ids = Array.from({ length: 43 }, (_, index) => `Q${String(index + 1).padStart(2, '0')}`)
    expect([...new Set(cases.map(({ id }) => id))]).toEqual(ids)
  })
})

async function checkMatcher(pattern: string | undefined, tools: Record<string, boolean>): Promise<void> {
  const matcher = await compileMatcher(compile(pattern))
  for (const [tool_name, matches] of Object.entries(tools))
    expect([tool_name, matcher.explain(anEvent({ tool_name, tool_input: {} })).matched]).toEqual([
      tool_name,
      matches,
    ])
}

function checkFile(content: object, gives: object[]): void {
  const { hooks } = read({ path: '/home/me/agent.json', text: JSON.stringify(content), scope: 'user' })
  expect(hooks).toHaveLength(gives.length)
  expect(hooks).toMatchObject(gives)
}

function checkPrompt({ prompt, bytes, variable }: Case): void {
  const { repeat, of, then = '' } = prompt!
  const whole = of.repeat(repeat) + then
  const input = encode(anEvent({ event_type: 'before_agent', prompt: whole }), aHook('userPromptSubmit'))
  const cut = input.env?.USER_PROMPT ?? ''
  expect(JSON.parse(input.text).prompt).toBe(whole)
  if (variable !== undefined) expect(cut).toBe(variable)
  if (bytes !== undefined) {
    expect(Buffer.byteLength(cut)).toBe(bytes)
    expect(whole.startsWith(cut)).toBe(true)
  }
}
