import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { RawResult } from '../spec/executor.ts'
import { commandExecutor } from './command.ts'
import { commandCall, shell, temporaryFolder } from './command-testing.ts'
import { environment, workFolder } from './hook-environment.ts'

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

test.each([
  ...['PERL5OPT', 'PERL5LIB', 'RUBYOPT', 'RUBYLIB', 'GEM_PATH', 'BUNDLE_GEMFILE', 'LUA_INIT_5_4', 'PHPRC'],
  ...['JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS', 'CLASSPATH', 'DOTNET_STARTUP_HOOKS', 'CORECLR_PROFILER_PATH'],
  ...['GIT_DIR', 'GIT_EXTERNAL_DIFF', 'GIT_SSH', 'GIT_EXEC_PATH', 'GIT_ALTERNATE_OBJECT_DIRECTORIES'],
  ...['npm_config_script_shell', 'BUN_OPTIONS', 'DENO_DIR', 'CARGO_HOME', 'RUSTC_WRAPPER', 'GOFLAGS'],
  ...['R_PROFILE_USER', 'JULIA_LOAD_PATH', 'AWKLIBPATH', 'VIMINIT', 'LESSOPEN', 'TAR_OPTIONS', 'MAKEFILES'],
  ...['PIP_INDEX_URL', 'PYTEST_PLUGINS', 'MALLOC_CONF', 'OPENSSL_CONF', 'GCONV_PATH', 'GLIBC_TUNABLES'],
  ...['RIPGREP_CONFIG_PATH', 'RSYNC_RSH', 'PAGER', 'EDITOR', 'BROWSER', 'LD_BIND_NOW', 'PYTHONSTARTUP'],
])('%s reaches a hook only when a person passes it on', (name) => {
  const call = commandCall(shell('env'), { env: Object.freeze({ [name]: 'x', PATH }) })
  expect(environment(call)[name]).toBeUndefined()
  call.host.passes = [name]
  expect(environment(call)[name]).toBe('x')
  call.host.passes = []
  expect(environment(call)[name]).toBeUndefined()
})

test('variables that choose no program, library or option reach a hook', () => {
  const plain = { GIT_AUTHOR_NAME: 'a', GIT_COMMITTER_EMAIL: 'b', GIT_TERMINAL_PROMPT: '0', NODE_ENV: 'test' }
  const more = {
    LANG: 'C',
    TERM: 'dumb',
    CI: '1',
    PERSON: 'p',
    RUN_ID: '1',
    HTTPS_PROXY: 'x',
    GITHUB_TOKEN: 't',
  }
  const call = commandCall(shell('env'), { env: { ...plain, ...more, PATH } })
  expect(environment(call)).toMatchObject({ ...plain, ...more })
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

  test('a folder that other users could have written to is not used', async () => {
    const theirs = join(inFolder(), `crosshook-state-${process.getuid?.()}`)
    mkdirSync(theirs)
    chmodSync(theirs, 0o777)
    const used = String(await run('echo "$AGENT_HOOK_STATE"'))
    expect(used).toContain('agent-hook-state-')
    expect(readdirSync(theirs)).toEqual([])
  })
})

test('a program runs in the folder asked for, else in the nearest one above it', () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'a'))
  writeFileSync(join(root, 'file'), '')
  expect(workFolder(join(root, 'a'))).toEqual({ path: join(root, 'a') })
  for (const [wanted, path] of [
    [join(root, 'a/b/c'), join(root, 'a')],
    [join(root, 'file/x'), root],
    [join(root, 'file'), root],
    ['relative', '/'],
    [`${root}/a\0b`, root],
  ] as const)
    expect(workFolder(wanted)).toEqual({ path, note: expect.stringContaining(`the hook ran in ${path}`) })
})
