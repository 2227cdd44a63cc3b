import { spawn } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { COMPILE_CACHE } from '../../../test/compile-cache.ts'
import { counters } from './counters.ts'
import { read } from './database.ts'
import { entry, newStateDir } from './fixtures/state.ts'
import { appendTogether, isOverfull } from './intake.ts'
import { journal } from './records.ts'
import { FULL_BYTES, intakePath } from './segments.ts'
import { openStore, type Store } from './store.ts'
import { MIGRATIONS } from './tables.ts'
import { catchUp, takeInSoon } from './take-in.ts'
import { verify } from './verify.ts'

function newStore(): Store {
  return openStore(newStateDir())
}

function reasons(store: Store): unknown[] {
  return journal(store)
    .list({ limit: -1 })
    .map(({ reason }) => reason)
}

function asides({ stateDir }: Store): string[] {
  const folder = dirname(intakePath(stateDir))
  return (existsSync(folder) ? readdirSync(folder) : []).filter((name) => /^journal\.log\../.test(name))
}

/** Until so many files were put aside. */
function fill(store: Store, files = 1): number {
  let count = 0
  while (asides(store).length < files)
    appendTogether(store, () => {
      for (let i = 0; i < 20; i++)
        journal(store).record(entry({ reason: `${++count} ${'x'.repeat(3000)}` }), { executions: 1 })
    })
  return count
}

test('a record needs no database to be kept', () => {
  const store = newStore()
  journal(store).record(entry({ reason: 'kept' }))
  expect(existsSync(join(store.stateDir, 'journal.db'))).toBe(false)
  expect(reasons(openStore(store.stateDir))).toEqual(['kept'])
})

test('a record that was cut off spoils no other', () => {
  const store = newStore()
  journal(store).record(entry({ reason: 'one' }))
  appendFileSync(intakePath(store.stateDir), '\n{"id":"1-a","at":1,"counts":{},"ent')
  expect(reasons(store)).toEqual(['one'])
  expect(store.warnings).toEqual([])
  journal(store).record(entry({ reason: 'two' }))
  expect(reasons(store)).toEqual(['one', 'two'])
  expect(store.warnings.splice(0)).toEqual([expect.stringMatching(/^1 record of the journal cannot be read/)])
  expect(reasons(store)).toEqual(['one', 'two'])
  expect(store.warnings).toEqual([])
})

test.each([
  'null',
  '5',
  '{}',
  '{"entry":{}}',
  '{"counts":null,"id":"1-a","at":1,"entry":{"event":"e","session_id":"","decision":"allow","hooks":[]}}',
])('a line that is no record keeps no other waiting: %s', (line) => {
  const store = newStore()
  journal(store).record(entry({ reason: 'one' }))
  appendFileSync(intakePath(store.stateDir), `\n${line}\n`)
  journal(store).record(entry({ reason: 'two' }))
  expect(reasons(store)).toEqual(['one', 'two'])
  expect(store.warnings).toEqual([expect.stringMatching(/^1 record of the journal cannot be read/)])
})

test('many records become one write, and all of them are there', () => {
  const store = newStore()
  const { record } = journal(store)
  const error = appendTogether(store, () => {
    for (const reason of ['a', 'b', 'c']) record(entry({ reason }), { executions: 1 })
  })
  expect(error).toBeUndefined()
  expect(reasons(store)).toEqual(['a', 'b', 'c'])
  expect(counters(store).read().executions).toBe(3)
})

test('a large file is put aside, and what a slow process still writes to it is not lost', () => {
  const store = newStore()
  const count = fill(store)
  expect(reasons(store)).toHaveLength(count)
  const [aside, ...others] = asides(store)
  expect(others).toEqual([])
  expect(existsSync(intakePath(store.stateDir))).toBe(false)
  journal(store).record(entry({ reason: 'new file' }))
  // As a process does that had opened the file before it was put aside.
  const late = { id: '1-late', at: Date.now(), counts: {}, entry: entry({ reason: 'late' }) }
  appendFileSync(join(dirname(intakePath(store.stateDir)), aside!), `\n${JSON.stringify(late)}\n`)
  expect(reasons(store)).toHaveLength(count + 2)
  expect(reasons(store)).toContain('late')
})

test('files put aside are removed once no writer can append to them', () => {
  const store = newStore()
  const count = fill(store)
  catchUp(store)
  expect(asides(store)).toHaveLength(1)
  vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] })
  try {
    catchUp(store)
  } finally {
    vi.useRealTimers()
  }
  expect(asides(store)).toEqual([])
  expect(reasons(store)).toHaveLength(count)
})

test('a file that somebody has emptied loses nothing that comes later', () => {
  const store = newStore()
  journal(store).record(entry({ reason: 'one' }))
  expect(reasons(store)).toEqual(['one'])
  truncateSync(intakePath(store.stateDir))
  journal(store).record(entry({ reason: 'two' }))
  expect(reasons(store)).toEqual(['one', 'two'])
  journal(store).record(entry({ reason: 'three' }))
  expect(reasons(store)).toEqual(['one', 'two', 'three'])
})

test('many waiting records are moved into the database in small steps while events are answered', async () => {
  const store = newStore()
  let count = fill(store, 4)
  expect(isOverfull(store)).toBe(false)
  expect(await takeInSoon(store)).toEqual([])
  expect(existsSync(join(store.stateDir, 'journal.db'))).toBe(false)
  count += fill(store, 5)
  expect(isOverfull(store)).toBe(true)
  let turns = 0
  const counting = setInterval(() => turns++, 0)
  const work = takeInSoon(store)
  expect(isOverfull(store)).toBe(false)
  expect(await work).toEqual([])
  clearInterval(counting)
  expect(turns).toBeGreaterThan(1)
  expect(store.waiting).toBeLessThanOrEqual(4 * FULL_BYTES)
  expect(reasons(store)).toHaveLength(count)
})

test.each([
  { of: 'a little more than may wait', leave: 2 * FULL_BYTES, rests: true },
  { of: 'more than twice of what may wait', leave: FULL_BYTES, rests: false },
])('a resident process that takes in $of rests between the pieces: $rests', async ({ leave, rests }) => {
  const store = newStore()
  store.isLasting = true
  const count = fill(store, 3)
  const timer = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => timer.mockRestore())
  expect(await takeInSoon(store, leave)).toEqual([])
  expect(timer.mock.calls.length > 0).toBe(rests)
  expect(reasons(store)).toHaveLength(count)
})

test('records that the limit removes at once are counted too', () => {
  const store = newStore()
  const count = fill(store, 4)
  const kept = journal(store, { bytes: FULL_BYTES }).list({ limit: -1 })
  expect(kept.length).toBeLessThan(count / 2)
  expect(kept.at(-1)?.reason).toMatch(new RegExp(`^${count} `))
  expect(counters(store).read().executions).toBe(count)
})

test('beyond the limit the newest records stay, whatever their sizes, and the rest is counted', () => {
  const store = newStore()
  let count = 0
  const add = (records: number, length: number) =>
    appendTogether(store, () => {
      for (let i = 0; i < records; i++)
        journal(store).record(entry({ reason: `${++count} ${'x'.repeat(length)}` }), { executions: 1 })
    })
  for (let i = 0; i < 40; i++) add(500, 10)
  for (let i = 0; i < 8; i++) add(300, 3000)
  expect(asides(store).length).toBeGreaterThan(8)
  const kept = journal(store, { records: 3000 }).list({ limit: -1 })
  expect(kept.map(({ reason }) => Number.parseInt(reason!, 10))).toEqual(
    Array.from({ length: 3000 }, (_, i) => count - 2999 + i),
  )
  expect(counters(store).read().executions).toBe(count)
})

test('a partly read file that exceeds the limit is counted to its end', async () => {
  const store = newStore()
  let count = fill(store, 1)
  await takeInSoon(store, 0, () => false)
  count += fill(store, 6)
  journal(store, { records: 500 }).list()
  expect(counters(store).read().executions).toBe(count)
})

test('taking in stops when it is no longer wanted, and goes on from there', async () => {
  const store = newStore()
  const count = fill(store, 3)
  expect(await takeInSoon(store, 0, () => false)).toEqual([])
  const taken = read(store, (db) => Number(db.prepare('SELECT count(*) AS count FROM events').get()?.count))
  expect(taken).toBeGreaterThan(0)
  expect(taken).toBeLessThan(count / 2)
  await takeInSoon(store, 0)
  expect(reasons(store)).toHaveLength(count)
})

test('two readers at once see each record once', () => {
  const stateDir = newStateDir()
  const [one, other] = [openStore(stateDir), openStore(stateDir)]
  for (let i = 0; i < 500; i++) {
    journal(one).record(entry({ reason: String(i) }), { executions: 1 })
    if (i % 50 === 0) reasons(i % 100 ? one : other)
  }
  expect(reasons(one)).toEqual(Array.from({ length: 500 }, (_, i) => String(i)))
  expect(counters(other).read().executions).toBe(500)
})

test('files of others beside it are left alone', () => {
  const store = newStore()
  journal(store).record(entry({ reason: 'one' }))
  const backup = `${intakePath(store.stateDir)}.backup`
  writeFileSync(backup, 'x'.repeat(FULL_BYTES + 1))
  renameSync(backup, `${backup}-2`)
  utimesSync(`${backup}-2`, 0, 0)
  expect(reasons(store)).toEqual(['one'])
  expect(readFileSync(`${backup}-2`, 'utf8')).toBe('x'.repeat(FULL_BYTES + 1))
})

test('while others write, put files aside and take in, each record is there once', async () => {
  const stateDir = newStateDir()
  const start = (name: string, ...args: string[]) =>
    spawn(process.execPath, [join(import.meta.dirname, 'fixtures', name), stateDir, ...args], {
      env: { ...process.env, ...COMPILE_CACHE },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const readers = [start('read.ts'), start('read.ts')]
  onTestFinished(() => {
    for (const reader of readers) reader.kill('SIGKILL')
  })
  const ids = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const output = await text(start('insert.ts', '4000').stdout!)
      return output.trim().split('\n')
    }),
  )
  const store = openStore(stateDir)
  const kept = journal(store)
    .list({ limit: -1 })
    .map(({ id }) => id)
  expect(kept.sort()).toEqual(ids.flat().sort())
  expect(counters(store).read().executions).toBe(12_000)
}, 60_000)

test('records that an older version cannot read are bounded, and verify reports dropped ones', () => {
  const store = newStore()
  store.limits = { ...store.limits, bytes: FULL_BYTES }
  journal(store).record(entry({ reason: 'one' }))
  expect(reasons(store)).toEqual(['one'])
  store.close()
  const db = new DatabaseSync(join(store.stateDir, 'journal.db'))
  db.exec('PRAGMA user_version = 99')
  const folder = dirname(intakePath(store.stateDir))
  for (let i = 0; i < 300; i++)
    writeFileSync(
      join(folder, `journal.log.${i.toString(16).padStart(24, '0')}`),
      `{"segment":"${i.toString(16).padStart(24, '0')}"}\n`,
    )
  // Until the file that grows is put aside too.
  do journal(store).record(entry({ reason: 'x'.repeat(4000) }))
  while (existsSync(intakePath(store.stateDir)))
  expect(asides(store).length).toBeLessThanOrEqual(256)
  expect(store.warnings.join()).toContain('were dropped')
  db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
  db.close()
  expect(verify(store).findings.map(({ what }) => what)).toContain('dropped')
})
