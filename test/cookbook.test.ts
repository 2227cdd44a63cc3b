/** Every recipe of the cookbook loads without a problem and passes its own cases, of which one must be decided by it. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readSource } from '../src/config/load.ts'
import { runCases } from '../src/testing/run-cases.ts'

const page = readFileSync(join(import.meta.dirname, '../docs/cookbook.md'), 'utf8')
const root = mkdtempSync(join(tmpdir(), 'cookbook-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const folders = new Set<string>()
for (const [, path = '', text = ''] of page.matchAll(/<!-- file: (\S+) -->\n```yaml\n([\s\S]*?)^```/gm)) {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  folders.add(dirname(file))
}

it('has at least thirty recipes', () => expect(folders.size).toBeGreaterThanOrEqual(30))

describe.each([...folders].map((folder) => [basename(folder), folder] as const))('%s', (name, folder) => {
  it('loads without a problem', async () => {
    const { hooks, problems } = await readSource({ path: folder }, 'source')
    expect({ names: hooks.map((hook) => hook.name), problems }).toEqual({ names: [name], problems: [] })
  })

  it('passes its cases, and decides one of them', async () => {
    const results = await runCases(folder)
    expect(results.filter(({ passed }) => !passed)).toEqual([])
    expect(results.some(({ result }) => result.hooks.some(({ status }) => status !== 'skipped'))).toBe(true)
  })
})
