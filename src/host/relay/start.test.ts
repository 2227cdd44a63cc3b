import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startEngine } from './start.ts'

const DAY_S = 86_400

test.each([
  ['of a start under way', 0, false],
  ['of long ago', -DAY_S, true],
  ['of the future, as a clock that was set back leaves it', DAY_S, true],
] as const)('a mark %s', async (_, offset, isStarted) => {
  const folder = mkdtempSync(join(tmpdir(), 'crosshook-start-'))
  const program = process.argv[1]!
  onTestFinished(() => {
    process.argv[1] = program
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  const started = join(folder, 'started')
  process.argv[1] = join(folder, 'main.cjs')
  writeFileSync(process.argv[1], `require('node:fs').writeFileSync(${JSON.stringify(started)}, '')`)
  const env = { PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: folder }
  const mark = join(folder, 'crosshook/engine.starting')
  mkdirSync(join(folder, 'crosshook'))
  writeFileSync(mark, 'first')
  const at = Date.now() / 1000 + offset
  utimesSync(mark, at, at)
  startEngine(env, 'absent')
  if (isStarted) await expect.poll(() => existsSync(started), { timeout: 30_000 }).toBe(true)
  else expect(readFileSync(mark, 'utf8')).toBe('first')
})
