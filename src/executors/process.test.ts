import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { times } from '../../test/times.ts'
import {
  commandCall,
  fixture,
  isAlive,
  processIds,
  shell,
  temporaryFolder,
  textOf,
  until,
  ways,
} from './command-testing.ts'

const timedOut = (ms: number) => ({
  failed: true,
  kind: 'timed_out',
  retryable: true,
  message: `timed out after ${ms} ms`,
})

async function timed<T>(work: Promise<T> | T): Promise<[T, number]> {
  const start = performance.now()
  return [await work, performance.now() - start]
}

describe.for(ways())('run %s,', ([, executor]) => {
  describe('the end of a hook', () => {
    const leavesChild = (file: string, seconds: string) => ({
      type: 'command' as const,
      argv: [fixture('leaves-child.sh'), file, seconds],
    })

    test('is the end of its process, even if a child holds its output', async () => {
      const file = join(temporaryFolder(), 'late')
      const [result, took] = await timed(executor.run(commandCall(leavesChild(file, '20'))))
      expect(result).toEqual({ exit_code: 0, signal: null, stdout: '{}', stderr: '' })
      expect(took).toBeLessThan(15_000)
      expect(textOf(file)).toBe('')
    })

    test('is the end of what it left behind, however that holds on', async () => {
      const file = join(temporaryFolder(), 'pids')
      const call = commandCall({ type: 'command', argv: [fixture('leaves-family.sh'), file] })
      expect(await executor.run(call)).toMatchObject({ exit_code: 0, stdout: '{}' })
      const ids = await processIds(file, 3)
      await until(() => !ids.some(isAlive), 20_000)
    })

    test('leaves alone what its format lets stay, and what was made a service', async () => {
      const file = join(temporaryFolder(), 'late')
      const stays = commandCall(leavesChild(file, '0.6'), { hook: { children_stay: true } })
      expect(await executor.run(stays)).toMatchObject({ exit_code: 0 })
      const service = join(temporaryFolder(), 'service')
      const line = `setsid sh -c 'sleep 0.6; echo late > ${service}' >/dev/null 2>&1 & exit 0`
      expect(await executor.run(commandCall(shell(line)))).toMatchObject({ exit_code: 0 })
      expect(await until(() => textOf(file) || undefined)).toBe('late\n')
      expect(await until(() => textOf(service) || undefined)).toBe('late\n')
    })

    test('is the close of its output where the format says so', async () => {
      const file = join(temporaryFolder(), 'late')
      const call = commandCall(leavesChild(file, '0.3'), { hook: { awaits_output: true } })
      expect(await executor.run(call)).toMatchObject({ exit_code: 0, stdout: '{}' })
      expect(textOf(file)).toBe('late\n')
    })

    test('comes after all that its process has printed', async () => {
      const line = `sleep 5 & head -c 150000 /dev/zero | tr '\\0' x; kill -9 $$`
      const result = await executor.run(commandCall(shell(line)))
      expect(result).toMatchObject({ signal: 'SIGKILL', stdout: 'x'.repeat(150_000) })
    })

    test('comes although a child goes on printing', async () => {
      const [result, took] = await timed(
        executor.run(
          commandCall(shell('(timeout 20 yes >&2) & echo {}'), { hook: { on_overflow: 'truncate' } }),
        ),
      )
      expect(result).toMatchObject({ exit_code: 0, stdout: '{}\n' })
      expect(took).toBeLessThan(15_000)
    })

    test('is also the end of a program that has nothing else to do', async () => {
      const program = `
        const { runProcess } = await import(${JSON.stringify(join(import.meta.dirname, 'process.ts'))})
        const start = { file: 'sh', args: ['-c', 'sleep 25 & echo {}'], cwd: '/', env: process.env, input: '' }
        const limits = { signal: AbortSignal.timeout(40_000), timeout: 40_000, limit: 9, onOverflow: 'fail' }
        console.log((await runProcess(start, limits)).stdout)`
      const [result, took] = await timed(
        executor.run(commandCall({ type: 'command', argv: [process.execPath, '-e', program] })),
      )
      expect(result).toMatchObject({ exit_code: 0, stdout: '{}\n\n', stderr: '' })
      expect(took).toBeLessThan(20_000)
    })
  })

  describe('the time limit', () => {
    test('ends the hook, and an exit code given then does not count', async () => {
      const call = commandCall(shell('trap "exit 2" TERM; sleep 30 & wait'), { timeout: 150 })
      const [result, took] = await timed(executor.run(call))
      expect(result).toEqual(timedOut(150))
      expect(took).toBeLessThan(20_000)
    })

    test('that is over before the start starts nothing', async () => {
      const file = join(temporaryFolder(), 'file')
      const call = commandCall(shell(`echo > ${file}`), { signal: AbortSignal.abort(), timeout: 1 })
      expect(await executor.run(call)).toEqual(timedOut(1))
      // One that was started before the next would have written by the time that has ended.
      expect(await executor.run(commandCall(shell('echo next')))).toMatchObject({ stdout: 'next\n' })
      expect(textOf(file)).toBe('')
    })

    test('ends a child that keeps the output open after the shell has ended', async () => {
      const file = join(temporaryFolder(), 'late')
      const call = commandCall(
        { type: 'command', argv: [fixture('leaves-child.sh'), file, '30'] },
        { timeout: 1500, hook: { awaits_output: true } },
      )
      expect(await executor.run(call)).toEqual(timedOut(1500))
      const [child] = await processIds(`${file}.pid`, 1)
      await until(() => !isAlive(child!))
      expect(textOf(file)).toBe('')
    })

    test('that comes after the end changes nothing', async () => {
      const controller = new AbortController()
      const call = commandCall(shell('(sleep 0.2; echo) & echo done'), { signal: controller.signal })
      const result = await executor.run(call)
      controller.abort()
      expect(result).toMatchObject({ stdout: 'done\n' })
    })
  })

  test.skipIf(process.platform !== 'linux')(
    'the time limit ends descendants in sessions of their own, and theirs',
    async () => {
      const file = join(temporaryFolder(), 'pids')
      const family = `setsid sh -c 'trap "" TERM HUP; echo $$ >> ${file}; sleep 30 & echo $! >> ${file}; wait' & wait`
      const controller = new AbortController()
      const running = executor.run(commandCall(shell(family), { signal: controller.signal, timeout: 1 }))
      const ids = await processIds(file, 2)
      controller.abort(new DOMException('late', 'TimeoutError'))
      expect(await running).toEqual(timedOut(1))
      await until(() => !ids.some(isAlive), 20_000)
    },
  )

  describe.for(['family.sh', 'stubborn-family.sh'])('no process of %s survives the time limit', (program) => {
    test('in many runs', async () => {
      const folder = temporaryFolder()
      const once = async (index: number) => {
        const file = join(folder, `${index}`)
        const controller = new AbortController()
        const running = executor.run(
          commandCall(
            { type: 'command', argv: [fixture(program), file] },
            { signal: controller.signal, timeout: 1 },
          ),
        )
        const ids = await processIds(file, 3)
        expect(ids.map(isAlive)).toEqual([true, true, true])
        controller.abort(new DOMException('late', 'TimeoutError'))
        expect(await running).toEqual(timedOut(1))
        await until(() => !ids.some(isAlive), 20_000)
      }
      for (let index = 0; index < times(24, 100); index += 4) {
        await Promise.all([index, index + 1, index + 2, index + 3].map(once))
      }
    })
  })
})
