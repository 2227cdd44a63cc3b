import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openJournal } from '../journal/sqlite/open.ts'
import { alarmOf, heartbeats } from './heartbeat.ts'
import { homeOf, readCalls } from './testing.ts'

const YEARS = 100 * 365 * 86_400_000

async function wired(id: string, at: string) {
  const home = await homeOf(id)
  const state = join(home, '.local/state/crosshook')
  mkdirSync(join(state, 'install'), { recursive: true })
  writeFileSync(
    join(state, 'install/manifest.json'),
    JSON.stringify({ files: [{ agent: id, level: 'user', file: 'x', at }] }),
  )
  return { env: { HOME: home }, home, journal: openJournal(state) }
}

test.each(['claude-code', 'opencode'])('%s that calls tools and no hook is an alarm', async (id) => {
  const { env, journal } = await wired(id, '2026-01-01T00:00:00Z')
  const [beat] = await heartbeats({ env, journal, age: YEARS })
  expect(beat).toMatchObject({
    agent: id,
    example: { session: expect.any(String), file: expect.any(String) },
  })
  expect(beat!.silent).toBeGreaterThan(0)
  expect(beat!.silent).toBe(beat!.sessions)
  expect(alarmOf(beat!, 'It')).toMatch(/^It called tools in .* and asked no hook about them/)
})

test('a session that the journal knows is none', async () => {
  const { env, home, journal } = await wired('claude-code', '2026-01-01T00:00:00Z')
  const { calls } = await readCalls('claude-code', home)
  for (const session_id of new Set(calls.map(({ session }) => session)))
    journal.append({
      event: 'session_start',
      session_id,
      work_dir: '/',
      decision: 'allow',
      reason: null,
      stop: null,
      duration_ms: 1,
      source: 'hook',
      hooks: [],
    })
  const [beat] = await heartbeats({ env, journal, age: YEARS })
  expect(beat).toMatchObject({ silent: 0 })
  expect(beat!.sessions).toBeGreaterThan(0)
  expect(alarmOf(beat!, 'It')).toBeUndefined()
})

test('calls before the installation do not count, nor do agents without crosshook', async () => {
  const { env, journal } = await wired('claude-code', new Date(Date.now() + 3_600_000).toISOString())
  expect(await heartbeats({ env, journal, age: YEARS })).toEqual([
    { agent: 'claude-code', sessions: 0, silent: 0 },
  ])
  const other = await wired('pi', '2026-01-01T00:00:00Z')
  expect(await heartbeats({ env: other.env, journal: other.journal, agent: 'codex' })).toEqual([])
})
