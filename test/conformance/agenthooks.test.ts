/** Every line of the Agent Hooks conformance list, on the built program. */

import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from 'js-yaml'
import { afterAll, describe, expect, it } from 'vitest'
import { read } from '../../src/dialects/agenthooks/config.ts'
import { type Came, check, type Expected, problemsOf } from './agenthooks-expect.ts'
import {
  longText,
  makePlace,
  type Place,
  type Plain,
  type Setup,
  USER_HOOKS,
  writeHook,
  writeText,
} from './agenthooks-place.ts'

interface Step {
  fire?: string
  validate?: string
  list?: true
  /** The hooks as the format reads them: for defaults that show nowhere else in less than their time. */
  read?: { hooks: Plain[] }
  /** Good and bad values of frontmatter fields. */
  fields?: Record<string, { good?: unknown[]; bad?: unknown[] }>
  event?: Plain
  stdin?: string
  args?: string[]
  env?: Record<string, string>
  cwd?: string
  write?: Record<string, string>
  expect?: Expected
}

interface Case extends Setup, Step {
  id: string
  says: string
  host?: true
  steps?: Step[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const cases = load(readFileSync(new URL('agenthooks.yaml', import.meta.url), 'utf8')) as Case[]
const outcomes = new Map<string, 'pass' | 'FAIL'>()

describe.concurrent('the Agent Hooks conformance list', () => {
  for (const one of cases)
    it(`${one.id} ${one.says}`, async () => {
      const place = makePlace(one)
      outcomes.set(one.id, 'FAIL')
      try {
        for (const step of one.steps ?? [one]) await take(step, place)
        outcomes.set(one.id, 'pass')
      } finally {
        place.remove()
      }
    })
})

it('has an entry for each of the 150 lines', () => {
  const numbers = cases.flatMap(({ id }) => (id.startsWith('AH') ? [Number(id.slice(2))] : []))
  expect(numbers).toEqual(Array.from({ length: 150 }, (_, index) => index + 1))
})

/** Line → pass, ten to a row; `h`: the answer is tested here, what an agent does with it elsewhere. */
afterAll(() => {
  const cells = cases.map(({ id, host }) => `${id} ${outcomes.get(id) ?? ' -  '}${host ? ' h' : '  '}`)
  for (let row = 0; row < cells.length; row += 10)
    process.stdout.write(`${cells.slice(row, row + 10).join('  ')}\n`)
  const passed = [...outcomes.values()].filter((outcome) => outcome === 'pass').length
  process.stdout.write(`Agent Hooks conformance: ${passed} of ${cases.length} entries pass\n`)
})

async function take(given: Step, place: Place): Promise<void> {
  const step = place.fill(given)
  const cwd = join(place.root, step.cwd ?? 'project')
  rmSync(join(cwd, 'ran'), { force: true })
  for (const [path, text] of Object.entries(step.write ?? {})) writeText(join(place.root, path), text)
  if (step.read) {
    expect(read({ path: join(place.root, USER_HOOKS), scope: 'user' }).hooks).toMatchObject(step.read.hooks)
    return
  }
  if (step.fields) {
    await checkFields(step.fields, place)
    return
  }
  const came = await crosshook(commandOf(step, place), {
    cwd,
    env: { ...place.env, ...step.env },
    stdin: step.stdin ?? JSON.stringify(longText(step.event ?? defaultEvent(step.fire))),
  })
  await check(step.expect ?? {}, came, place, cwd)
}

function commandOf(step: Step, place: Place): string[] {
  if (step.fire) return ['fire', step.fire, '--json', ...(step.args ?? [])]
  if (step.validate) return ['validate', join(place.root, step.validate), '--json']
  return ['list', '--json']
}

function defaultEvent(event: string | undefined): Plain {
  return event?.includes('_tool') ? { tool_name: 'Shell', tool_input: { command: 'ls' } } : {}
}

/** Every value in a hook of its own, validated at once. */
async function checkFields(fields: NonNullable<Step['fields']>, place: Place): Promise<void> {
  const folder = join(place.root, 'values')
  const wrong = new Map<string, string>()
  for (const [field, { good = [], bad = [] }] of Object.entries(fields)) {
    good.forEach((value, index) => {
      writeHook(join(folder, `good-${field}-${index}`), `good-${field}-${index}`, { [field]: value })
    })
    bad.forEach((value, index) => {
      wrong.set(`bad-${field}-${index}`, field)
      writeHook(join(folder, `bad-${field}-${index}`), `bad-${field}-${index}`, { [field]: value })
    })
  }
  const { exit, stdout, stderr } = await crosshook(['validate', folder, '--json'], {
    cwd: place.root,
    env: place.env,
    stdin: '',
  })
  expect(exit, stderr).toBe(wrong.size > 0 ? 1 : 0)
  const errors = problemsOf(stdout).filter(({ level }) => level === 'error')
  const found = errors.map(({ file, field }) => [String(file).split('/').at(-2), field])
  expect(new Map(found as [string, string][])).toEqual(wrong)
}

const program = join(root, 'bin/crosshook')

function crosshook(
  args: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; stdin: string },
): Promise<Came> {
  const start = performance.now()
  const { promise, resolve, reject } = Promise.withResolvers<Came>()
  const child = spawn(program, args, { cwd: options.cwd, env: options.env })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  child.on('error', reject)
  child.on('close', (exit) => resolve({ exit, stdout, stderr, ms: performance.now() - start }))
  child.stdin.on('error', reject)
  child.stdin.end(options.stdin)
  return promise
}
