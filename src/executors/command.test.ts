import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { commandCall, fixture, shell, temporaryFolder, ways } from './command-testing.ts'

const argv = (...words: string[]) => ({ type: 'command' as const, argv: words })

describe.for(ways())('run %s,', ([, executor]) => {
  const run = (...call: Parameters<typeof commandCall>) => executor.run(commandCall(...call))

  describe('a command', () => {
    test('reports what came back and judges nothing', async () => {
      expect(await run(shell('echo out; echo err >&2; exit 2'))).toEqual({
        exit_code: 2,
        signal: null,
        stdout: 'out\n',
        stderr: 'err\n',
      })
    })

    test('that ends by a signal has no exit code', async () => {
      expect(await run(shell('kill -9 $$'))).toMatchObject({ exit_code: null, signal: 'SIGKILL' })
    })

    test('without a shell gets its arguments as they are', async () => {
      expect(await run(argv('printf', '%s|', 'a b', '$HOME', '*'))).toMatchObject({ stdout: 'a b|$HOME|*|' })
    })

    test('runs in the working directory of the event', async () => {
      const work_dir = temporaryFolder()
      expect(await run(argv('pwd', '-P'), { event: { work_dir } })).toMatchObject({ stdout: `${work_dir}\n` })
    })

    test('runs in the nearest folder above one that is not there, and says so', async () => {
      const above = temporaryFolder()
      const work_dir = join(above, 'gone/deeper')
      const result = await run(argv('pwd', '-P'), { event: { work_dir } })
      expect(result).toMatchObject({ stdout: `${above}\n`, notes: [expect.stringContaining(work_dir)] })
    })

    test('looks for programs anew after a while, also when the clock was set back', async () => {
      onTestFinished(() => void vi.useRealTimers())
      vi.useFakeTimers({ toFake: ['Date', 'hrtime'], now: 2_000_000_000_000 })
      const own = temporaryFolder()
      const env = { PATH: own }
      const path = async (projects: string[]) => {
        const call = commandCall(shell('echo "$PATH"'), { env })
        call.host.projects = () => projects
        return String(((await executor.run(call)) as { stdout: string }).stdout).split(':')[0]
      }
      expect(await path([])).toBe(own)
      vi.advanceTimersByTime(60_000)
      vi.setSystemTime(1_000_000_000_000)
      expect(await path([own])).not.toBe(own)
    })

    test('with an empty argv is a failure', async () => {
      expect(await run(argv())).toMatchObject({ failed: true, retryable: false })
    })
  })

  describe('the input of a command', () => {
    test('arrives as UTF-8 and then ends', async () => {
      const text = '{"tool_input": {"command": "grüße 你好 🎉"}}'
      expect(await run(argv(fixture('print-input.sh')), { input: { text } })).toMatchObject({ stdout: text })
    })

    test('can be opened as /dev/stdin', async () => {
      expect(await run(shell('cat /dev/stdin'), { input: { text: 'hello' } })).toMatchObject({
        stdout: 'hello',
      })
    })

    test('may be 64 MB that nobody reads', async () => {
      const text = 'x'.repeat(64 * 1024 * 1024)
      expect(await run(argv(fixture('never-reads.sh')), { input: { text } })).toMatchObject({
        exit_code: 3,
        stdout: '{"decision": "allow"}\n',
      })
    })

    test('may be 64 MB that are all read', async () => {
      const text = 'x'.repeat(64 * 1024 * 1024)
      expect(await run(shell('wc -c'), { input: { text } })).toMatchObject({ stdout: `${text.length}\n` })
    })
  })

  describe('a program that cannot start', () => {
    test.for([
      ['is not on PATH', argv('no-such-program-here'), 'no-such-program-here: no such program on PATH'],
      ['is not there', argv('/no/such/program'), '/no/such/program: no such file'],
      ['has no right to run', argv(fixture('broken.js')), 'permission denied'],
      ['has too large an argument', argv('true', 'x'.repeat(4_000_000)), 'larger than the system allows'],
      ['has a NUL in its arguments', argv('true', 'a\0b'), 'null bytes'],
    ] as const)('because it %s is a failure that says so', async ([, run_, message]) => {
      expect(await run(run_)).toMatchObject({
        failed: true,
        kind: 'failed',
        retryable: false,
        message: expect.stringContaining(message),
      })
    })
  })
})
