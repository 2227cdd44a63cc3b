import { spawn, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { RawResult } from '../spec/executor.ts'
import { type Failure, isFailure } from '../spec/outcome.ts'
import { commandExecutor, createCommandExecutor } from './command.ts'
import {
  buildRelay,
  commandCall,
  isAlive,
  processIds,
  shell,
  temporaryFolder,
  textOf,
  until,
  writeProgram,
} from './command-testing.ts'
import { SYSTEM_FOLDERS } from './safe-path.ts'
import { createSpawner } from './spawner.ts'

const relay = buildRelay()

/** An executor with a spawner; `answered` counts what the spawner ran, `left` what it left to this process. */
function setUp(program = relay!) {
  const spawner = createSpawner(program)
  onTestFinished(() => spawner.close())
  const seen = { answered: 0, left: 0 }
  const executor = createCommandExecutor({
    ...spawner,
    async run(start, limits) {
      const outcome = await spawner.run(start, limits)
      seen[outcome === undefined ? 'left' : 'answered']++
      return outcome
    },
  })
  const run = async (command: string, options?: Parameters<typeof commandCall>[1]) =>
    (await executor.run(commandCall(shell(command), options))) as RawResult & Failure
  return { spawner, run, seen, pid: () => spawners(program, process.pid)[0]! }
}

function spawners(program: string, parent: number): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(parent)], { encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter((line) => line.includes(`${program} spawner`))
    .map((line) => Number.parseInt(line, 10))
}

const descriptors = (pid: number) => readdirSync(`/proc/${pid}/fd`).length

describe.skipIf(relay === undefined)('a program that the spawner runs', () => {
  test('has its input, arguments, folder and variables and nothing else', async () => {
    const { run, seen } = setUp()
    const work_dir = temporaryFolder()
    const result = await run(
      'cat; pwd; env | grep -v ^AGENT_ | grep -v ^_= | grep -v ^SHLVL= | sort; echo no >&2; exit 3',
      {
        event: { work_dir },
        env: { PATH: '/usr/bin', MARK: 'one\ntwo é' },
        input: { text: '{"text":"é"}\n' },
      },
    )
    expect(result).toEqual({
      exit_code: 3,
      signal: null,
      stdout: `{"text":"é"}\n${work_dir}\nCROSSHOOK_DEPTH=1\nMARK=one\nPATH=/usr/bin:${SYSTEM_FOLDERS.filter((folder) => folder !== '/usr/bin').join(':')}\nPWD=${work_dir}\nPYTHONDONTWRITEBYTECODE=1\ntwo é\n`,
      stderr: 'no\n',
    })
    expect(seen).toEqual({ answered: 1, left: 0 })
  })

  test('has no descriptors but its own three', async () => {
    const { run } = setUp()
    expect(await run('ls /proc/self/fd')).toMatchObject({ stdout: '0\n1\n2\n3\n' }) // the fourth is that of `ls`
  })

  test('has the signals, limits, mask and session that it always has', async () => {
    const { run, seen } = setUp()
    // Not how many signals of the whole user are on their way (SigQ), which others change.
    const line = `grep -E '^Sig[^Q]|^Shd|^Umask|^NoNewPrivs' /proc/self/status; ulimit -a; ulimit -H -a
      ps -o sid=,pgid= -p $$ | sed "s/$$/own/g"; ps -o tty= -p $$; cat /dev/stdin; echo >/dev/stderr`
    const { stdout } = await run(line)
    const ordinary = (await commandExecutor.run(commandCall(shell(line)))) as RawResult
    expect(stdout).toBe(ordinary.stdout)
    expect(stdout).toContain('SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000')
    expect(stdout?.replaceAll(' ', '')).toContain('\nownown\n')
    expect(seen).toEqual({ answered: 1, left: 0 })
  })

  test('may print and leave much', async () => {
    const { run, seen } = setUp()
    const result = await run('head -c 30000000 /dev/zero; head -c 20000000 /dev/zero >&2', {
      hook: { output_limit: 40_000_000 },
    })
    expect([result.stdout?.length, result.stderr?.length]).toEqual([30_000_000, 20_000_000])
    expect(seen).toEqual({ answered: 1, left: 0 })
  })

  test('is one of many at once, each with its own answer', async () => {
    const { run, seen } = setUp()
    const numbers = Array.from({ length: 100 }, (_, n) => n)
    const results = await Promise.all(
      numbers.map((n) => run(`cat; exit ${n}`, { input: { text: `${n}` }, timeout: 20_000 })),
    )
    expect(results.map(({ exit_code, stdout }) => [exit_code, stdout])).toEqual(
      numbers.map((n) => [n, `${n}`]),
    )
    expect(seen).toEqual({ answered: 100, left: 0 })
  })

  test('leaves neither a process nor a descriptor behind', async () => {
    const { spawner, run, pid } = setUp()
    await run('true')
    const [before, own] = [descriptors(pid()), descriptors(process.pid)]
    const start = { file: '/bin/true', args: [], cwd: '/', env: {}, input: 'x' }
    const { signal } = new AbortController()
    const limits = {
      signal,
      timeout: 1,
      limit: 9,
      onOverflow: 'fail' as const,
      awaitsOutput: false,
      childrenStay: false,
    }
    for (let i = 0; i < 1000; i += 4)
      await Promise.all([1, 2, 3, 4].map(() => spawner.run({ ...start, cwd: i % 40 ? '/' : '/no' }, limits)))
    expect(descriptors(pid())).toBe(before)
    expect(descriptors(process.pid)).toBeLessThanOrEqual(own)
    expect(spawnSync('ps', ['-o', 'pid=', '--ppid', `${pid()}`], { encoding: 'utf8' }).stdout).toBe('')
  })

  test.for([
    ['a large input', 'wc -c', { input: { text: 'x'.repeat(2_000_000) } }, '2000000\n'],
    ['an output without limit', 'echo {}', { hook: { output_limit: Number.POSITIVE_INFINITY } }, '{}\n'],
  ] as const)('is run by this process when it has %s', async ([, line, options, stdout]) => {
    const { run, seen } = setUp()
    expect(await run(line, options)).toMatchObject({ stdout })
    expect(seen).toEqual({ answered: 0, left: 1 })
  })
})

describe.skipIf(relay === undefined)('a spawner', () => {
  test('that is killed fails what it runs, ends it, and is replaced', async () => {
    const { run, seen, pid } = setUp()
    const file = join(temporaryFolder(), 'pids')
    const running = run(`echo $$ > ${file}; sleep 30; exit 0`)
    const ids = await processIds(file, 1)
    process.kill(pid(), 'SIGKILL')
    expect(await running).toEqual({
      failed: true,
      kind: 'failed',
      retryable: true,
      message: "The process that runs hooks' programs ended while this hook ran (SIGKILL)",
    })
    if (process.platform === 'linux') await until(() => !ids.some(isAlive))
    expect(await run('echo {}')).toMatchObject({ exit_code: 0, stdout: '{}\n' })
    expect(seen).toEqual({ answered: 2, left: 0 })
  })

  test('that hangs does not delay time limits', async () => {
    const { run, pid } = setUp()
    await run('true')
    const hung = pid()
    process.kill(hung, 'SIGSTOP')
    const started = performance.now()
    expect(await run('echo {}', { timeout: 100 })).toMatchObject({ kind: 'timed_out' })
    expect(performance.now() - started).toBeLessThan(20_000)
    expect(await run('echo {}')).toMatchObject({ stdout: '{}\n' })
    expect(isAlive(hung)).toBe(false)
  })

  test('that dies again and again is no longer used', async () => {
    const { run, seen, pid } = setUp()
    for (let i = 0; i < 3; i++) {
      const running = run('sleep 30')
      process.kill(await until(() => pid()), 'SIGSTOP')
      process.kill(pid(), 'SIGKILL')
      expect(isFailure(await running) || seen.left > 0).toBe(true)
    }
    const before = seen.answered
    expect(await run('echo {}')).toMatchObject({ stdout: '{}\n' })
    expect(seen.answered).toBe(before)
  })

  test('ends with the one that started it, and so does what it runs', async () => {
    const file = join(temporaryFolder(), 'pids')
    const program = `
      const { createSpawner } = await import(${JSON.stringify(join(import.meta.dirname, 'spawner.ts'))})
      const command = 'trap "" TERM; (trap "" TERM; echo $BASHPID; sleep 30) >> ${file} & echo $$ >> ${file}; wait'
      const start = { file: 'bash', args: ['-c', command], cwd: '/', env: process.env, input: '' }
      const limits = { signal: new AbortController().signal, timeout: 9000, limit: 9, onOverflow: 'fail' }
      await createSpawner(${JSON.stringify(relay)}).run(start, limits)`
    const engine = spawn(process.execPath, ['-e', program], { stdio: 'inherit' })
    const ids = [...(await processIds(file, 2)), ...spawners(relay!, engine.pid!)]
    expect(ids.map(isAlive)).toEqual([true, true, true])
    engine.kill('SIGKILL')
    await until(() => !ids.some(isAlive))
  })

  test('ends when nobody needs it any more', async () => {
    const { spawner, run, pid } = setUp()
    await run('true')
    const own = pid()
    spawner.close()
    await until(() => !isAlive(own))
    expect(await run('echo {}')).toMatchObject({ stdout: '{}\n' })
  })

  test('keeps no program from ending', async () => {
    const program = `
      const { createSpawner } = await import(${JSON.stringify(join(import.meta.dirname, 'spawner.ts'))})
      const start = { file: '/bin/echo', args: ['{}'], cwd: '/', env: {}, input: '' }
      const limits = { signal: new AbortController().signal, timeout: 9000, limit: 9, onOverflow: 'fail' }
      console.log(await createSpawner(${JSON.stringify(relay)}).run(start, limits))`
    const { status, stdout } = spawnSync(process.execPath, ['-e', program], {
      encoding: 'utf8',
      timeout: 60_000,
    })
    expect([status, stdout]).toEqual([0, expect.stringContaining("stdout: '{}\\n'")])
  })
})

test.for([
  ['ends', 'exit 1'],
  [
    'says something else',
    'printf "\\24\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\7\\0\\0\\0\\0\\0\\0\\0" >&3; sleep 5',
  ],
  ['says what is no reply', 'echo "What is wanted?" >&3; sleep 5'],
])('A program that %s is no spawner, and is not asked for ever', async ([, line]) => {
  const folder = temporaryFolder()
  const file = join(folder, 'other')
  writeProgram(file, `#!/bin/sh\necho start >> ${folder}/starts\n${line}\n`)
  const { run, seen } = setUp(file)
  for (let i = 0; i < 5; i++) expect(await run('echo {}')).toMatchObject({ exit_code: 0, stdout: '{}\n' })
  expect(seen).toEqual({ answered: 0, left: 5 })
  expect(textOf(join(folder, 'starts'))).toBe('start\n'.repeat(3))
})

test('Without a spawner, Node starts the programs', async () => {
  const { run, seen } = setUp(join(tmpdir(), 'no-such-relay'))
  for (let i = 0; i < 5; i++) expect(await run('echo {}')).toMatchObject({ exit_code: 0, stdout: '{}\n' })
  expect(seen).toEqual({ answered: 0, left: 5 })
})
