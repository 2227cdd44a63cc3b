import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { toResult } from '../engine/merge.ts'
import { read } from '../journal/sqlite/database.ts'
import { openJournal } from '../journal/sqlite/open.ts'
import { openStore } from '../journal/sqlite/store.ts'
import { completeEvent } from '../pipeline/decode/complete-event.ts'
import { createKeeper } from './keeper.ts'

/** How many records the database holds, without taking in more. */
function taken(state: string): number {
  const store = openStore(state)
  const found = read(store, (db) => db.prepare('SELECT count(*) AS count FROM events').get()?.count)
  store.close()
  return Number(found)
}

function recording(session: string) {
  const event = completeEvent('before_tool', { session_id: session }, '/')
  const result = toResult(event, { outcome: {}, reports: [] })
  return { event, result, failed: [], dropped: [], duration: 0, source: 'daemon' as const }
}

test('records that cannot be kept are said to be lost until the disk can be written again', async () => {
  const state = mkdtempSync(join(tmpdir(), 'crosshook-keeper-'))
  onTestFinished(() => rmSync(state, { recursive: true, force: true, maxRetries: 10 }))
  const folder = join(state, 'crosshook')
  writeFileSync(folder, 'a file where the folder should be')
  const store = openJournal(folder)
  onTestFinished(() => store.close())
  const keeper = createKeeper()
  const [sentences] = await Promise.all(['a', 'b'].map((name) => keeper.keep(store, recording(name))))
  expect(sentences).toEqual([expect.stringContaining('cannot be used')])
  expect(keeper.trouble).toContain('cannot be used')
  rmSync(folder)
  mkdirSync(folder)
  expect(await keeper.keep(store, recording('c'))).toEqual([])
  expect(keeper.trouble).toBeUndefined()
  expect(store.list().map(({ session_id }) => session_id)).toEqual(['c'])
})

test('an idle host moves waiting records into the database', async () => {
  const state = mkdtempSync(join(tmpdir(), 'crosshook-keeper-'))
  onTestFinished(() => rmSync(state, { recursive: true, force: true, maxRetries: 10 }))
  const store = openJournal(state)
  const keeper = createKeeper()
  const said: string[] = []
  onTestFinished(keeper.takeInWhenIdle(store, (sentence) => said.push(sentence)))
  await keeper.keep(store, recording('a'))
  await expect.poll(() => existsSync(join(state, 'journal.db'))).toBe(true)
  await expect.poll(() => taken(state)).toBe(1)
  expect(said).toEqual([])
})
