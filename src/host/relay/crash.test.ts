import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { COMPILE_CACHE } from '../../../test/compile-cache.ts'
import { PROGRAM } from '../../../test/program.ts'
import { paths } from '../../config/paths.ts'
import { deadLetters } from '../../journal/dead-letters.ts'
import { openJournal } from '../../journal/sqlite/open.ts'
import { ask, type Home, makeHome, reasonOf, shellCall } from './testing.ts'

const ROUNDS = 4
const WORKERS = 4

test('answered events are in the journal and failures are dead letters, whenever the engine is killed', async () => {
  const home = makeHome()
  home.hook('broken', 'on_failure: closed', { 'scripts/run.sh': '#!/bin/sh\nexit 3\n' })
  const { state } = paths(home.env)
  let acknowledged = 0
  for (let round = 0; round < ROUNDS; round++) {
    const answered = await answersUntilKilled(home, round)
    const store = openJournal(state)
    const records = store.list({ limit: -1 })
    store.close()
    const sessions = new Set(records.map(({ session_id }) => session_id))
    const letters = new Set(
      deadLetters(state)
        .list()
        .map(({ session_id }) => session_id),
    )
    expect(answered.filter((session) => !sessions.has(session) || !letters.has(session))).toEqual([])
    acknowledged += answered.length
  }
  expect(acknowledged).toBeGreaterThan(ROUNDS)
})

/** The sessions whose answers came. */
async function answersUntilKilled(home: Home, round: number): Promise<string[]> {
  rmSync(home.socket, { force: true })
  const engine = spawn(process.execPath, [PROGRAM, 'engine'], {
    env: { ...home.env, ...COMPILE_CACHE },
    stdio: 'ignore',
  })
  onTestFinished(() => void engine.kill('SIGKILL'))
  const ended = once(engine, 'exit')
  while (!existsSync(home.socket)) await sleep(20)
  const answered: string[] = []
  let count = 0
  let isOver = false
  const worker = async () => {
    while (!isOver) {
      const session = `${round}-${count++}`
      try {
        const answer = await ask(home, { payload: { ...shellCall(home), session_id: session } })
        expect(reasonOf(answer)).toContain('broken')
        answered.push(session)
      } catch (error) {
        if (!isOver) throw error
      }
    }
  }
  const workers = Array.from({ length: WORKERS }, worker)
  // Its first answer may take long, on a machine that has much to do.
  while (answered.length === 0 && engine.exitCode === null) await sleep(10)
  await sleep(Math.random() * 400)
  isOver = true
  engine.kill('SIGKILL')
  await Promise.all([ended, ...workers])
  return answered
}
