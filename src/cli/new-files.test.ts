import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSource } from '../config/load.ts'
import { confinementLevel } from '../executors/confine/level.ts'
import { EVENT_NAMES } from '../spec/event.ts'
import { runCases } from '../testing/run-cases.ts'
import { LANGUAGES, scaffold, type Wanted } from './new-files.ts'

const confined = confinementLevel().confines
const base = mkdtempSync(join(tmpdir(), 'crosshook-new-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

test.each(EVENT_NAMES)('a new hook for %s validates, and its cases pass', async (event) => {
  await check({ name: `on-${event.replaceAll('_', '-')}`, event, language: 'sh', confined })
})

test.each(Object.keys(LANGUAGES) as Wanted['language'][])('a new hook in %s works', async (language) => {
  await check({ name: `in-${language}`, event: 'before_tool', language, confined })
})

test.each(['sh', 'py'] as const)('a new hook in %s has no more than the least rights', async (language) => {
  const folder = make({ name: `least-${language}`, event: 'before_tool', language, confined: true })
  const { hooks } = await readSource({ path: folder }, 'source')
  expect(hooks[0]!.sandbox).toBe(true)
})

async function check(wanted: Wanted): Promise<void> {
  const folder = make(wanted)
  expect((await readSource({ path: folder }, 'source')).problems).toEqual([])
  const results = await runCases(folder)
  expect(results.map(({ passed, differences }) => ({ passed, differences }))).toEqual([
    { passed: true, differences: [] },
    { passed: true, differences: [] },
  ])
}

function make(wanted: Wanted): string {
  const folder = join(base, wanted.name)
  for (const { path, text, executable } of scaffold(wanted)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    if (executable) chmodSync(file, 0o755)
  }
  return folder
}
