import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { readSource } from '../../src/config/load.ts'
import { checkSettings, redactedView, write } from '../../src/dialects/kheish/config.ts'
import { executionKey, type Invocation, invocationKey } from '../../src/dialects/kheish/events.ts'
import { globMatches } from '../../src/dialects/kheish/hook.ts'
import { dialect } from '../../src/dialects/kheish/index.ts'
import { EVENTS, type KheishEvent } from '../../src/dialects/kheish/names.ts'
import { outcomeJsonSchema } from '../../src/dialects/kheish/outcome-schema.ts'
import { safeTarget } from '../../src/dialects/kheish/target.ts'
import { aHook, anEvent } from '../../src/dialects/kheish/testing.ts'
import { compileGlob } from '../../src/engine/glob.ts'
import { merge } from '../../src/engine/merge.ts'
import { isGlobalAddress } from '../../src/executors/http-target.ts'
import type { Outcome } from '../../src/spec/outcome.ts'
import { isFailure } from '../../src/spec/outcome.ts'
import { type Case, expected, fireCase, folderOf, never } from './kheish-fire.ts'

const cases = load(readFileSync(join(import.meta.dirname, 'kheish.yaml'), 'utf8')) as Case[]
const format = dialect.format!

/** By the field that says what kind of case it is. */
const CHECKS: Record<string, (each: Case) => unknown> = {
  glob({ glob, subjects }) {
    for (const [subject, matches] of Object.entries(subjects!)) {
      expect(globMatches(glob!, subject)).toBe(matches)
      expect(compileGlob(glob!)(subject)).toBe(matches)
    }
  },
  merge({ merge: name, answers, expect: outcome }) {
    const event = anEvent({ event_type: EVENTS[name as KheishEvent].event })
    const merged = answers!.reduce<Outcome>((before, value) => {
      const { outcome: next } = format.decode({ value }, event, aHook())
      if (isFailure(next)) throw new Error(next.message)
      return merge(before, next, aHook())
    }, {})
    expect(merged).toMatchObject(expected(outcome!))
  },
  decode({ decode, expect: outcome, fails }) {
    const { outcome: came } = format.decode(
      { exit_code: 0, stderr: '', ...decode },
      anEvent({ event_type: 'notification' }),
      aHook(),
    )
    expect(came).toMatchObject(
      fails === undefined ? expected(outcome!) : { failed: true, retryable: false, message: expected(fails) },
    )
  },
  key({ key, hook_name, invocation_key, execution_key }) {
    const invocation = key as Invocation
    if (invocation_key) expect(invocationKey(invocation)).toBe(invocation_key)
    if (execution_key) expect(executionKey(hook_name!, invocation)).toBe(execution_key)
  },
  schema({ schema, expect: type }) {
    expect(outcomeJsonSchema.properties).toHaveProperty(schema!, type)
    expect(outcomeJsonSchema.required).not.toContain(schema)
  },
  target({ target, shown }) {
    expect(safeTarget(target!)).toEqual(expected(shown))
  },
  async read(each) {
    const definition = { name: 'under-test', ...each.read }
    const good = { name: 'good', executor: { type: 'command', command: 'true' } }
    await checkFile(JSON.stringify({ schema_version: 1, hooks: { stop: [definition, good] } }), each)
  },
  file_text: (each) => checkFile(each.file_text!, each),
  settings({ settings: given, written, redacted, never: hidden }) {
    const { settings, issues } = checkSettings(given)
    expect(issues).toEqual([])
    if (written) expect(JSON.parse(write(settings!))).toEqual(written === 'same' ? given : written)
    if (!redacted) return
    const view = write(redactedView(settings!))
    expect(view).toEqual(expected(redacted))
    never(view, hidden!)
  },
  fire: fireCase,
  addresses({ addresses, public: isPublic }) {
    for (const address of addresses!) expect([address, isGlobalAddress(address)]).toEqual([address, isPublic])
  },
}

/** A problem anywhere leaves no hook of the file, not even the good one. */
async function checkFile(text: string, { problem, hook, never: hidden }: Case): Promise<void> {
  const file = join(folderOf(), 'hooks.json')
  writeFileSync(file, text)
  const { hooks, problems } = await readSource({ path: file, format: 'kheish' }, 'source')
  if (problem === undefined) {
    expect(hooks[0]).toMatchObject(hook!)
    return
  }
  expect(hooks).toEqual([])
  expect(problems.map(({ message }) => message)).toEqual([expected(problem)])
  expect(problems[0]!.fix).not.toBe('')
  if (hidden) never(JSON.stringify(problems), hidden)
}

describe('Kheish', () => {
  it.for(cases.filter(({ covered_by }) => !covered_by))('$id: $text', async (each, { skip }) => {
    if (each.awaits !== undefined) skip(`awaits ${each.awaits}`)
    const kind = Object.keys(CHECKS).find((field) => each[field as keyof Case] !== undefined)
    await CHECKS[kind!]!(each)
  })

  it('has a check for each of the 83 cases', () => {
    const ids = Array.from({ length: 83 }, (_, index) => `K${String(index + 1).padStart(2, '0')}`)
    expect([...new Set(cases.map(({ id }) => id))]).toEqual(ids)
  })
})
