import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { RawResult } from '../spec/executor.ts'
import { commandExecutor } from './command.ts'
import { commandCall, shell, temporaryFolder } from './command-testing.ts'
import { environment } from './environment.ts'

const PATH = process.env.PATH ?? ''

test('a hook inherits the environment and finds the common variables', () => {
  const call = commandCall(shell('env'), {
    env: { PATH, HOME: '/home/me', EMPTY: undefined },
    event: { agent: 'some-agent', work_dir: '/project' },
    hook: { origin: { file: '/hooks/guard/HOOK.md' } },
  })
  call.host.stateDir = (hook, session) => `/state/${hook.name}/${session}`
  expect(environment(call)).toEqual({
    PATH,
    HOME: '/home/me',
    PYTHONDONTWRITEBYTECODE: '1',
    AGENT_NAME: 'some-agent',
    CROSSHOOK_DEPTH: '1',
    AGENT_SESSION_ID: 'session-1',
    AGENT_WORK_DIR: '/project',
    AGENT_HOOK_EVENT: 'before_tool',
    AGENT_HOOK_DIR: '/hooks/guard',
    AGENT_HOOK_STATE: '/state/under-test/session-1',
  })
})

test('the hook’s own variables win over inherited ones, and those of its format over both', () => {
  const call = commandCall(shell('env'), {
    env: { A: 'inherited', B: 'inherited', C: 'inherited', AGENT_NAME: 'outer' },
    hook: { env: { B: 'hook', C: 'hook' } },
    input: { env: { C: 'format' } },
  })
  expect(environment(call)).toMatchObject({ A: 'inherited', B: 'hook', C: 'format', AGENT_NAME: '' })
})

test('variables that make programs run foreign code are not inherited', () => {
  const dangerous = {
    NODE_OPTIONS: '--require ./evil.js',
    LD_PRELOAD: './evil.so',
    LD_AUDIT: './evil.so',
    DYLD_INSERT_LIBRARIES: './evil.dylib',
    BASH_ENV: './evil.sh',
    ENV: './evil.sh',
    PYTHONPATH: './evil',
    GIT_SSH_COMMAND: './evil.sh',
    GIT_CONFIG_COUNT: '1',
    'BASH_FUNC_grep%%': '() { exit 1; }',
  }
  const call = commandCall(shell('env'), {
    env: { ...dangerous, PATH },
    hook: { env: { NODE_OPTIONS: '--test' } },
  })
  const env = environment(call)
  expect(env.NODE_OPTIONS).toBe('--test')
  expect(Object.keys(env).filter((name) => name in dangerous)).toEqual(['NODE_OPTIONS'])
})

test('a shell hook does not run what BASH_ENV or an exported function of the agent says', async () => {
  const env = { PATH, BASH_ENV: '/dev/stdin', 'BASH_FUNC_true%%': '() { echo function; }' }
  const call = commandCall(shell('true; echo ran'), { env, input: { text: 'echo startup' } })
  expect(await commandExecutor.run(call)).toMatchObject({ stdout: 'ran\n', stderr: '' })
})

test('NUL characters and impossible names do not keep a hook from starting', async () => {
  const call = commandCall(shell('echo "$AGENT_SESSION_ID $VALUE"'), {
    event: { session_id: 'a\0b' },
    hook: { env: { VALUE: 'c\0d', 'BAD=NAME': 'x', '': 'y', 'NUL\0': 'z' } },
  })
  expect(await commandExecutor.run(call)).toMatchObject({ stdout: 'ab cd\n' })
})

describe('where no state folder can be made', () => {
  const lines: string[] = []
  const run = async (command: string) => {
    const call = commandCall(shell(command))
    call.host.stateDir = () => {
      throw new Error('read-only')
    }
    call.host.debug = (line) => lines.push(line)
    return ((await commandExecutor.run(call)) as RawResult).stdout
  }
  const inFolder = () => {
    const folder = temporaryFolder()
    vi.stubEnv('TMPDIR', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    return folder
  }

  test('the hook gets another, the same at each event, and this is noted', async () => {
    const folder = inFolder()
    const count = 'echo x >> "$AGENT_HOOK_STATE/n" && wc -l < "$AGENT_HOOK_STATE/n"'
    expect([await run(count), await run(count)].map(Number)).toEqual([1, 2])
    expect(lines[0]).toBe("hook 'under-test' may forget what it writes: read-only")
    expect(readdirSync(folder)).toHaveLength(1)
  })

  test('one that others could have filled is not used', async () => {
    const theirs = join(inFolder(), `crosshook-state-${process.getuid?.()}`)
    mkdirSync(theirs)
    chmodSync(theirs, 0o777)
    const used = String(await run('echo "$AGENT_HOOK_STATE"'))
    expect(used).toContain('agent-hook-state-')
    expect(readdirSync(theirs)).toEqual([])
  })
})
