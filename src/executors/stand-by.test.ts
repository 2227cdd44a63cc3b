import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { createCommandExecutor } from './command.ts'
import {
  commandCall,
  isAlive,
  processIds,
  shell,
  temporaryFolder,
  textOf,
  until,
  writeProgram,
} from './command-testing.ts'
import { createStandBy } from './stand-by.ts'

const folder = mkdtempSync(join(tmpdir(), 'crosshook-stand-by-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const relay = join(folder, 'crosshook-relay')
const source = join(import.meta.dirname, '../../relay/relay.c')
const built = spawnSync('cc', ['-std=c11', '-O1', '-Wall', '-Wextra', '-Werror', '-o', relay, source])

/** An executor whose next programs are run by processes that stood by; `taken` counts them. */
async function setUp(program = relay) {
  const standBy = createStandBy(program)
  onTestFinished(() => standBy.close())
  const taken: number[] = []
  const executor = createCommandExecutor({
    ...standBy,
    take(start) {
      const found = standBy.take(start)
      if (found) taken.push(found.child.pid!)
      return found
    },
  })
  const run = async (command: string, options?: Parameters<typeof commandCall>[1]) =>
    await executor.run(commandCall(shell(command), options))
  await run('true') // nobody waits before the first
  expect(taken).toEqual([])
  const ready = () => new Promise((resolve) => setTimeout(resolve, 100))
  await ready()
  return { executor, run, taken, ready }
}

describe.skipIf(built.status !== 0)('a process that stands by', () => {
  test('becomes the program, with its input, arguments, folder and variables and nothing else', async () => {
    const { run, taken } = await setUp()
    const folder = temporaryFolder()
    const result = await run(
      'cat; pwd; echo "$MARK"; env | grep -c ^MARK; echo no >&2; { true >&3; } 2>/dev/null || echo closed; exit 3',
      {
        event: { work_dir: folder },
        env: { PATH: process.env.PATH, MARK: 'one\ntwo é' },
        input: { text: '{"text":"é"}\n' },
      },
    )
    expect(taken).toHaveLength(1)
    expect(result).toEqual({
      exit_code: 3,
      signal: null,
      stdout: `{"text":"é"}\n${folder}\none\ntwo é\n1\nclosed\n`,
      stderr: 'no\n',
    })
  })

  test('is the process itself: a group of its own, whose input can be opened again', async () => {
    const { run, taken } = await setUp()
    const result = await run('cat /dev/stdin; echo; echo $$; ps -o pgid= -p $$', { input: { text: 'text' } })
    const pid = String(taken[0])
    expect((result as { stdout: string }).stdout.split(/\s+/).slice(0, 3)).toEqual(['text', pid, pid])
  })

  test('is ended with all its children when its time is over', async () => {
    const { executor, taken } = await setUp()
    const file = join(temporaryFolder(), 'pids')
    const call = commandCall(shell(`echo $$ >> ${file}; (echo $BASHPID >> ${file}; sleep 30) & sleep 30`), {
      signal: AbortSignal.timeout(300),
      timeout: 300,
    })
    expect(await executor.run(call)).toMatchObject({ kind: 'timed_out' })
    expect(taken).toHaveLength(1)
    for (const pid of await processIds(file, 2)) expect(isAlive(pid)).toBe(false)
  })

  test('is not run again when it printed too much', async () => {
    const { run, taken } = await setUp()
    const file = join(temporaryFolder(), 'runs')
    const result = await run(`echo run >> ${file}; head -c 100000 /dev/zero; sleep 5`, {
      hook: { output_limit: 1000, on_overflow: 'fail' },
    })
    expect(result).toMatchObject({ message: 'hook output exceeded 1000 bytes' })
    expect(taken).toHaveLength(1)
    expect(textOf(file)).toBe('run\n')
  })

  test('leaves it to the system to say why a program does not start', async () => {
    const { executor, taken, ready } = await setUp()
    const missing = await executor.run(commandCall({ type: 'command', argv: ['no-such-program-here'] }))
    expect(missing).toMatchObject({ message: 'Cannot start no-such-program-here: no such program on PATH' })
    await ready()
    const nowhere = await executor.run(commandCall(shell('true'), { event: { work_dir: '/no/such/folder' } }))
    expect(nowhere).toMatchObject({ message: expect.stringContaining('/no/such/folder does not exist') })
    expect(taken).toHaveLength(2)
  })

  test('that was killed meanwhile keeps no program from running, and runs none twice', async () => {
    const { run, taken } = await setUp()
    const file = join(temporaryFolder(), 'runs')
    const started = run(`echo run >> ${file}; echo {}`)
    process.kill(taken[0]!, 'SIGKILL')
    expect(await started).toMatchObject({ exit_code: expect.anything(), stdout: '{}\n' })
    expect(readFileSync(file, 'utf8')).toBe('run\n')
  })

  test('gets no program with a large input', async () => {
    const { run, taken } = await setUp()
    expect(await run('wc -c', { input: { text: 'x'.repeat(2_000_000) } })).toMatchObject({
      stdout: '2000000\n',
    })
    expect(taken).toEqual([])
  })

  test('takes its turn again and again, and some at once', async () => {
    const { run, taken, ready } = await setUp()
    for (let i = 0; i < 5; i++) {
      const results = await Promise.all(
        [1, 2, 3].map((n) => run(`cat; echo ${n}`, { input: { text: `${i}:` } })),
      )
      expect(results.map((result) => (result as { stdout: string }).stdout)).toEqual(
        [1, 2, 3].map((n) => `${i}:${n}\n`),
      )
      await ready()
    }
    expect(new Set(taken).size).toBe(10)
  })

  test('ends when nobody needs it any more', async () => {
    const standBy = createStandBy(relay)
    expect(standBy.take({ file: '/bin/true', args: [], cwd: tmpdir(), env: {}, input: '' })).toBeUndefined()
    const children = () =>
      spawnSync('ps', ['-o', 'args=', '--ppid', String(process.pid)], { encoding: 'utf8' }).stdout.split(
        relay,
      ).length - 1
    await until(() => children() === 2)
    standBy.close()
    await until(() => children() === 0)
  })
})

test('A program that cannot stand by is not asked again', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'other')
  writeProgram(file, `#!/bin/sh\necho start >> ${folder}/starts\n`)
  writeFileSync(join(folder, 'starts'), '')
  const { run, taken, ready } = await setUp(file)
  for (let i = 0; i < 3; i++) {
    expect(await run('echo {}')).toMatchObject({ exit_code: 0, stdout: '{}\n' })
    await ready()
  }
  expect(taken).toEqual([])
  expect(textOf(join(folder, 'starts')).length).toBeLessThanOrEqual('start\n'.length * 2)
})
