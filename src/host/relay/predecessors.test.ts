import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { COMPILE_CACHE } from '../../../test/compile-cache.ts'
import { PROGRAM } from '../../../test/program.ts'
import { isAlive, textOf } from '../../executors/command-testing.ts'
import { answers } from './is-listening.ts'
import { endPredecessors, endServing } from './predecessors.ts'
import { makeHome } from './testing.ts'

const module = pathToFileURL(join(import.meta.dirname, 'predecessors.ts')).href
/** Nothing else happens in the process, which takes no time of a core meanwhile. */
const HANGS = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crosshook-predecessors-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
})

/** A process that has announced itself, and does `then` after it has said so. */
async function served(
  before: string,
  then = '',
): Promise<{ child: ChildProcess; gone: Promise<string | number> }> {
  const code = `const { announce } = await import(${JSON.stringify(module)})
    const withdraw = announce(${JSON.stringify(folder)}); ${before}; console.log('ready'); ${then}`
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const gone = new Promise<string | number>((resolve) =>
    child.once('exit', (status, signal) => resolve(signal ?? status!)),
  )
  await new Promise((resolve) => child.stdout!.once('data', resolve))
  return { child, gone }
}

test('a process that hangs is ended', async () => {
  const { child, gone } = await served("process.on('SIGTERM', () => {})", HANGS)
  expect(await endPredecessors(folder, () => false, 200)).toEqual([child.pid])
  expect(await gone).toBe('SIGKILL')
})

test('a process that is stopped is ended', async () => {
  const { child, gone } = await served('setInterval(() => {}, 1000)')
  process.kill(child.pid!, 'SIGSTOP')
  expect(await endPredecessors(folder, () => false, 200)).toEqual([child.pid])
  expect(await gone).toBe('SIGKILL')
})

test('a process that answers is left to finish its work', async () => {
  const { gone } = await served(
    "process.once('SIGTERM', () => { withdraw(); setTimeout(() => process.exit(7), 300) }); setInterval(() => {}, 1000)",
  )
  expect(await endPredecessors(folder)).toEqual([])
  expect(await gone).toBe(7)
})

test('a caller that needs the engine gone waits until its process has ended', async () => {
  const late = 'withdraw(); setTimeout(() => process.exit(7), 300)'
  const hears = await served(`process.once('SIGTERM', () => { ${late} }); setInterval(() => {}, 1000)`)
  const hangs = await served("process.on('SIGTERM', () => {})", HANGS)
  await endServing(folder, 2500)
  expect([hears, hangs].map(({ child }) => isAlive(child.pid!))).toEqual([false, false])
  expect(await Promise.all([hears.gone, hangs.gone])).toEqual([7, 'SIGKILL'])
})

test('a process that is exempt, or has reused the id of one that ended, is not killed', async () => {
  const { child } = await served('setInterval(() => {}, 1000)')
  expect(await endPredecessors(folder, (pid) => pid === child.pid, 200)).toEqual([])
  const other = spawn('sleep', ['1000'])
  onTestFinished(() => void other.kill())
  const stale = join(folder, `engine.pid.${other.pid}`)
  writeFileSync(stale, 'another start')
  expect(await endPredecessors(folder, (pid) => pid === child.pid, 200)).toEqual([])
  expect(existsSync(stale)).toBe(false)
  expect(other.exitCode).toBeNull()
  expect(child.exitCode).toBeNull()
})

test('an engine that hangs is ended by the one that takes its place', async () => {
  const { env, socket } = makeHome()
  const engine = (...more: string[]) => {
    const child = spawn(process.execPath, [PROGRAM, 'engine', ...more], {
      env: { ...env, ...COMPILE_CACHE },
      stdio: 'ignore',
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }
  const first = engine()
  await expect.poll(() => answers(socket), { timeout: 30_000 }).toBe(true)
  // It answers a moment before it has said that it serves.
  await expect.poll(() => textOf(join(dirname(socket), `engine.pid.${first.pid}`))).not.toBe('')
  process.kill(first.pid!, 'SIGSTOP')
  const second = engine('--replace')
  await expect.poll(() => first.signalCode, { timeout: 30_000 }).toBe('SIGKILL')
  expect(await answers(socket)).toBe(true)
  expect(second.exitCode).toBeNull()
})
