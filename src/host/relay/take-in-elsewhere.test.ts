import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { PROGRAM } from '../../../test/program.ts'
import { read } from '../../journal/sqlite/database.ts'
import { entry } from '../../journal/sqlite/fixtures/state.ts'
import { openJournal } from '../../journal/sqlite/open.ts'
import { openStore } from '../../journal/sqlite/store.ts'
import { takeInElsewhere } from './take-in-elsewhere.ts'

function place() {
  const home = mkdtempSync(join(tmpdir(), 'crosshook-take-in-'))
  // The other process may still close its database.
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 10 }))
  vi.stubEnv('XDG_STATE_HOME', home)
  onTestFinished(() => void vi.unstubAllEnvs())
  const store = openJournal(join(home, 'crosshook'))
  onTestFinished(() => store.close())
  for (let i = 0; i < 1600; i++) store.append(entry({ reason: 'x'.repeat(3000) }))
  return store
}

test('another process moves the records that wait, and this one opens no database', async () => {
  const store = place()
  expect(store.waiting).toBeGreaterThanOrEqual(4 * 1024 * 1024)
  const said: string[] = []
  onTestFinished(takeInElsewhere(store, (sentence) => said.push(sentence), { main: PROGRAM, look: 20 }))
  const other = openStore(store.stateDir)
  onTestFinished(() => other.close())
  const count = () => read(other, (db) => db.prepare('SELECT count(*) AS count FROM events').get()?.count)
  await expect.poll(count, { interval: 200 }).toBe(1600)
  other.close()
  expect(isOpen(join(store.stateDir, 'journal.db'))).toBe(false)
  expect(said).toEqual([])
})

test('a process that cannot do it is told of', async () => {
  const store = place()
  const said: string[] = []
  const main = join(store.stateDir, 'nothing-here.cjs')
  onTestFinished(takeInElsewhere(store, (sentence) => said.push(sentence), { main, look: 20 }))
  await expect.poll(() => said).toEqual([expect.stringContaining('crosshook status')])
})

/** By this process. */
function isOpen(path: string): boolean {
  return readdirSync('/proc/self/fd').some((each) => {
    try {
      return readlinkSync(`/proc/self/fd/${each}`) === path
    } catch {
      return false // the one that was opened to read the list
    }
  })
}
