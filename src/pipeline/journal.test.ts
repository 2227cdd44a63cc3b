import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { paths } from '../config/paths.ts'
import { parseSettings } from '../config/settings-schema.ts'
import { entry } from '../journal/sqlite/fixtures/state.ts'
import { journalOf } from './journal.ts'

function home(settings: string) {
  const folder = mkdtempSync(join(tmpdir(), 'crosshook-retention-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  const where = paths({ HOME: folder, CROSSHOOK_MANAGED_DIR: join(folder, 'managed') })
  mkdirSync(join(where.settings, '..'), { recursive: true })
  writeFileSync(where.settings, settings)
  return where
}

test('max_records, max_bytes and max_age each remove what is beyond them', async () => {
  const fill = async (settings: string) => {
    const journal = await journalOf(home(settings))
    for (let i = 0; i < 60; i++) journal.append(entry({ reason: `${i} ${'x'.repeat(1000)}` }))
    return journal
  }
  const all = await fill('')
  expect(all.list({ limit: -1 })).toHaveLength(60)
  expect((await fill('[journal]\nmax_records = 7\n')).list({ limit: -1 })).toHaveLength(7)
  const few = (await fill('[journal]\nmax_bytes = 50000\n')).list({ limit: -1 })
  expect(few.length).toBeGreaterThan(20)
  expect(few.length).toBeLessThan(50)
  expect(few.at(-1)?.reason).toMatch(/^59 /)
  const aging = await fill('[journal]\nmax_age = "2h"\n')
  expect(aging.list({ limit: -1 })).toHaveLength(60)
  vi.useFakeTimers({ now: Date.now() + 3 * 3_600_000, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  aging.append(entry({ reason: 'new' }))
  expect(aging.list({ limit: -1 }).map(({ reason }) => reason)).toEqual(['new'])
  expect(aging.verify().findings).toEqual([])
})

test('a setting that cannot be is said, with what it must be', () => {
  const { problems } = parseSettings('[journal]\nmax_age = "soon"\n', '/c.toml', '/')
  expect(problems).toMatchObject([{ field: 'journal.max_age', message: expect.stringContaining('90d') }])
})

test('with full durability records are kept as well', async () => {
  const journal = await journalOf(home('[journal]\ndurability = "full"\n'))
  expect(journal.append(entry({ reason: 'on the disk' })).error).toBeUndefined()
  expect(journal.list().map(({ reason }) => reason)).toEqual(['on the disk'])
})
