/** Every template loads without a problem, passes its cases, and runs confined where it is a program. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readSource } from '../src/config/load.ts'
import { runCases } from '../src/testing.ts'

const folder = fileURLToPath(new URL('../templates', import.meta.url))
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

describe('the templates', () => {
  it('are for every use that people begin with', () => {
    expect(names.toSorted()).toEqual([
      'approval',
      'audit-sink',
      'budget',
      'context-at-start',
      'format-after-edits',
      'guard-by-act',
      'notification',
      'prompt-judge',
      'tests-before-stop',
    ])
  })

  it.each(names)('%s loads without a problem, and its program runs confined', async (name) => {
    const { hooks, problems } = await readSource({ path: join(folder, name) }, 'source')
    expect(problems).toEqual([])
    expect(hooks.map((hook) => hook.name)).toEqual([name])
    if (hooks[0]!.run.type === 'command') expect(hooks[0]!.sandbox).toBeTruthy()
    expect(hooks[0]!.metadata?.template).toMatch(/\.$/)
  })

  it.each(names)('%s does what its cases say', { timeout: 60_000 }, async (name) => {
    const results = await runCases(join(folder, name))
    expect(
      results.filter(({ passed }) => !passed).map(({ name: what, differences }) => ({ what, differences })),
    ).toEqual([])
    const program = results
      .flatMap(({ result }) => result.hooks)
      .filter(({ status }) => status === 'allowed' || status === 'blocked')
    const { hooks } = await readSource({ path: join(folder, name) }, 'source')
    if (hooks[0]!.run.type === 'command')
      expect(program.every(({ confined }) => confined === true)).toBe(true)
  })
})
