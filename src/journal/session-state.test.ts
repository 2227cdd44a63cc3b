import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { collectSessions, removeSessionState, sessionStateDir } from './session-state.ts'
import { newStateDir } from './sqlite/fixtures/state.ts'

test('each hook has a folder of its own in each session, and finds it again', () => {
  const stateDir = newStateDir()
  const folder = sessionStateDir(stateDir, 'guard', 's1')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(sessionStateDir(stateDir, 'guard', 's1')).toBe(folder)
  expect(sessionStateDir(stateDir, 'other', 's1')).not.toBe(folder)
  expect(sessionStateDir(stateDir, 'guard', 's2')).not.toBe(folder)
})

test('names from outside cannot lead out of the state folder', () => {
  const stateDir = newStateDir()
  const folder = sessionStateDir(stateDir, '../../../etc', '../..')
  expect(relative(stateDir, folder)).toMatch(/^sessions[\\/][0-9a-f]{32}[\\/][0-9a-f]{32}$/)
})

test('the end of a session removes its folders and no other', () => {
  const stateDir = newStateDir()
  const folder = sessionStateDir(stateDir, 'guard', 's1')
  const other = sessionStateDir(stateDir, 'guard', 's2')
  writeFileSync(join(folder, 'memory'), 'x')
  removeSessionState(stateDir, 's1')
  removeSessionState(stateDir, 'never seen')
  expect([existsSync(folder), existsSync(other)]).toEqual([false, true])
})

test('data of a session without an end is removed after thirty days without a change', () => {
  const stateDir = newStateDir()
  const old = sessionStateDir(stateDir, 'guard', 'old')
  const used = sessionStateDir(stateDir, 'guard', 'used')
  for (const folder of [old, used]) writeFileSync(join(folder, 'note'), 'x')
  const long = new Date(Date.now() - 40 * 86_400_000)
  for (const path of [join(old, 'note'), old, dirname(old), used, dirname(used)]) utimesSync(path, long, long)
  expect(collectSessions(stateDir)).toBe(1)
  expect(readdirSync(sessionStateDir(stateDir, 'guard', 'old'))).toEqual([])
  expect(readFileSync(join(sessionStateDir(stateDir, 'guard', 'used'), 'note'), 'utf8')).toBe('x')
})
