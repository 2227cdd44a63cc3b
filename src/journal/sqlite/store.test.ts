import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { COMPILE_CACHE } from '../../../test/compile-cache.ts'
import { times } from '../../../test/times.ts'
import { CrosshookError } from '../../spec/errors.ts'
import { counters } from './counters.ts'
import { corruptCopies, read } from './database.ts'
import { entry, newStateDir } from './fixtures/state.ts'
import { journal } from './records.ts'
import { openStore } from './store.ts'

const INSERT = join(import.meta.dirname, 'fixtures/insert.ts')

test('only the owner can read what is kept', () => {
  const stateDir = newStateDir()
  const store = openStore(stateDir)
  journal(store).record(entry())
  journal(store).list()
  const modes = readdirSync(stateDir).map((name) => [name, statSync(join(stateDir, name)).mode & 0o777])
  expect(statSync(stateDir).mode & 0o777).toBe(0o700)
  expect(Object.fromEntries(modes)).toEqual({
    'journal.anchors': 0o600,
    'journal.db': 0o600,
    'journal.db-shm': 0o600,
    'journal.db-wal': 0o600,
    intake: 0o700,
  })
})

test('eight processes that start together on an empty folder lose nothing', async () => {
  const stateDir = newStateDir()
  const ids = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const child = spawn(process.execPath, [INSERT, stateDir, '200'], {
        env: { ...process.env, ...COMPILE_CACHE },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
      expect(code).toBe(0)
      return output.trim().split('\n')
    }),
  )
  const store = openStore(stateDir)
  const kept = journal(store).list({ limit: 2000 })
  expect(kept.map(({ id }) => id).sort()).toEqual(ids.flat().sort())
  expect(counters(store).read().executions).toBe(1600)
  expect(integrity(store)).toBe('ok')
})

test('a process killed at any moment loses no record that it was told of', async () => {
  const stateDir = newStateDir()
  const told: string[] = []
  for (let round = 0; round < times(12, 100); round++) {
    const child = spawn(process.execPath, [INSERT, stateDir], {
      env: { ...process.env, ...COMPILE_CACHE },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const output = text(child.stdout)
    // Some are killed while they write, some while they start.
    if (round % 3) await once(child.stdout, 'readable')
    await new Promise((resolve) => setTimeout(resolve, Math.random() * (round % 3 ? 40 : 100)))
    child.kill('SIGKILL')
    // A last line without its end was not told.
    told.push(...(await output).split('\n').slice(0, -1))
  }
  const store = openStore(stateDir)
  const kept = new Set(
    journal(store)
      .list({ limit: -1 })
      .map(({ id }) => id),
  )
  expect(told.length).toBeGreaterThan(12)
  expect(told.slice(-15_000).filter((id) => !kept.has(id))).toEqual([])
  expect(integrity(store)).toBe('ok')
  expect(store.warnings).toEqual([])
}, 120_000)

test('a file in place of the state folder is said clearly, and work goes on', () => {
  const stateDir = newStateDir()
  writeFileSync(stateDir, '')
  const store = openStore(stateDir)
  const { id, error } = journal(store).record(entry())
  expect(id).toMatch(/^\d+-[0-9a-f]{12}$/)
  expect(error).toBeInstanceOf(CrosshookError)
  expect(error).toMatchObject({ code: 'store' })
  expect(error?.message).toContain(
    `The journal in ${stateDir} cannot be used: a file is where a folder should be`,
  )
  expect(() => journal(store).list()).toThrow('a file is where a folder should be')
})

test('a folder that may not be written is said clearly', () => {
  const stateDir = newStateDir()
  const { error } = asOrdinaryUser(stateDir, 0o555)
  expect(error).toContain('cannot be used: the folder may not be written')
})

test('a database that cannot grow loses nothing: the records wait', () => {
  const store = openStore(newStateDir())
  const { record, list } = journal(store)
  record(entry())
  expect(list()).toHaveLength(1)
  read(store, (db) => db.exec('PRAGMA max_page_count = 1'))
  expect(record(entry({ reason: 'long '.repeat(800) })).error).toBeUndefined()
  expect(list()).toHaveLength(1)
  expect(store.warnings.splice(0)).toEqual([expect.stringContaining('the disk is full')])
  read(store, (db) => db.exec('PRAGMA max_page_count = 100000'))
  expect(list()).toHaveLength(2)
  expect(store.warnings).toEqual([])
})

test('a file that is no database is moved aside with a warning', () => {
  const stateDir = newStateDir()
  mkdirSync(stateDir)
  writeFileSync(join(stateDir, 'journal.db'), 'not a database '.repeat(500))
  const store = openStore(stateDir)
  expect(journal(store).record(entry()).error).toBeUndefined()
  expect(journal(store).list()).toHaveLength(1)
  const [copy, ...others] = corruptCopies(stateDir)
  expect(others).toEqual([])
  expect(readFileSync(copy!, 'utf8')).toContain('not a database')
  expect(store.warnings).toEqual([expect.stringContaining(`moved to ${copy} and a new one was started`)])
  const other = openStore(stateDir)
  expect(journal(other).list()).toHaveLength(1)
  expect(other.warnings).toEqual([])
})

test('damage that shows only later is moved aside too, and what waits is kept', () => {
  const stateDir = newStateDir()
  const first = openStore(stateDir)
  for (let i = 0; i < 300; i++) journal(first).record(entry({ reason: 'x'.repeat(2000) }))
  expect(journal(first).list()).toHaveLength(100)
  first.close()
  const path = join(stateDir, 'journal.db')
  const bytes = readFileSync(path)
  // The first page, with the version in it, stays whole.
  writeFileSync(path, bytes.fill(0xff, 4096))
  const store = openStore(stateDir)
  expect(journal(store).record(entry({ reason: 'the newest' })).error).toBeUndefined()
  expect(journal(store).list().at(-1)?.reason).toBe('the newest')
  expect(store.warnings).toHaveLength(1)
  expect(corruptCopies(stateDir)).toHaveLength(1)
})

test('a journal of a newer version is left alone', () => {
  const stateDir = newStateDir()
  const newer = openStore(stateDir)
  read(newer, (db) => db.exec('PRAGMA user_version = 1000'))
  newer.close()
  const store = openStore(stateDir)
  expect(journal(store).record(entry()).error).toBeUndefined()
  expect(() => journal(store).list()).toThrow('written by a newer crosshook')
  expect(corruptCopies(stateDir)).toEqual([])
})

test('a long-lived process notices that its files were removed', () => {
  const stateDir = newStateDir()
  const store = openStore(stateDir)
  journal(store).record(entry())
  expect(journal(store).list()).toHaveLength(1)
  rmSync(stateDir, { recursive: true })
  expect(journal(store).record(entry()).error).toBeUndefined()
  expect(journal(store).list()).toHaveLength(1)
  expect(journal(openStore(stateDir)).list()).toHaveLength(1)
})

function integrity(store: ReturnType<typeof openStore>): unknown {
  return read(store, (db) => db.prepare('PRAGMA integrity_check').get()?.integrity_check)
}

/** Opens the store in a process without the rights of root, which no mode would stop. */
function asOrdinaryUser(stateDir: string, mode: number): { error: string } {
  mkdirSync(stateDir)
  chmodSync(dirname(stateDir), 0o755)
  chmodSync(stateDir, mode)
  const program = `
    import { record } from ${JSON.stringify(join(import.meta.dirname, 'intake.ts'))}
    import { openStore } from ${JSON.stringify(join(import.meta.dirname, 'store.ts'))}
    if (process.getuid() === 0) process.setuid(65534)
    const store = openStore(${JSON.stringify(stateDir)})
    console.log(JSON.stringify({ error: record(store, {}).error.message }))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  chmodSync(stateDir, 0o700)
  return JSON.parse(stdout)
}
