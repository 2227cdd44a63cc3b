/** What the agent's environment says of places: it moves no guard, and a line of its shell is judged by what it means there. */

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../src/executors/command-testing.ts'

const main = resolve(import.meta.dirname, '../../dist/cli/main.cjs')
const relay = resolve(import.meta.dirname, '../../dist/relay/crosshook-relay')

let home: string
const engines: { kill(): void }[] = []

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'places-')))
  mkdirSync(join(home, 'project'), { recursive: true })
  mkdirSync(join(home, '.config/agents/hooks'), { recursive: true })
})
afterAll(() => {
  for (const engine of engines) engine.kill()
  rmSync(home, { recursive: true, force: true, maxRetries: 10 })
})

const own = () => ({
  PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
  HOME: home,
  CROSSHOOK_MANAGED_DIR: join(home, 'none'),
})
const state = () => join(home, '.local/state/crosshook')

function call(command: string, more: NodeJS.ProcessEnv): string {
  const { stdout, error } = spawnSync(
    relay,
    ['hook', 'claude-code', 'PreToolUse', `--entry=${state()}/install/entries/claude-code.entry`],
    {
      env: { ...own(), ...more },
      cwd: join(home, 'project'),
      input: JSON.stringify({
        hook_event_name: 'PreToolUse',
        session_id: 's',
        cwd: join(home, 'project'),
        tool_name: 'Bash',
        tool_input: { command },
      }),
      encoding: 'utf8',
      timeout: 60_000,
    },
  )
  expect(error).toBeUndefined()
  return /"permissionDecision": ?"(\w+)"/.exec(stdout)?.[1] ?? 'passed'
}

const LINES = (): [string, NodeJS.ProcessEnv, string][] => [
  ['rm -rf ~/agents', { HOME: join(home, '.config') }, 'deny'],
  ['cd && rm -rf agents/hooks', { HOME: join(home, '.config') }, 'deny'],
  ['rm -rf "$HOME/crosshook"', { HOME: join(home, '.local/state') }, 'deny'],
  ['rm -rf $XDG_STATE_HOME/x', { XDG_STATE_HOME: state() }, 'deny'],
  ['cat $XDG_RUNTIME_DIR/state.key', { XDG_RUNTIME_DIR: state() }, 'deny'],
  [
    `echo {} > ${join(home, '.claude/settings.json')}`,
    { HOME: '/nowhere', XDG_CONFIG_HOME: '/nowhere' },
    'deny',
  ],
  [`rm -r ${join(home, '.config/agents')}`, { HOME: '/nowhere', XDG_CONFIG_HOME: '/nowhere' }, 'deny'],
  ['echo {} > ~/.claude/settings.json', { HOME: '/srv/another' }, 'deny'],
  ['echo {} > $HOME/.claude/settings.json', {}, 'deny'],
  ['echo hello > ~/notes.txt', {}, 'passed'],
  ['echo hello > ~/notes.txt', { HOME: '/srv/another' }, 'passed'],
  ['rm -rf ~/agents', {}, 'passed'],
]

describe.skipIf(!existsSync(relay)).each(['cold', 'warm'])('%s,', (path) => {
  beforeAll(async () => {
    const env = { ...own(), ...(path === 'cold' ? { CROSSHOOK_NO_DAEMON: '1' } : {}) }
    const installed = spawnSync(process.execPath, [main, 'install', 'claude-code', '--yes'], {
      env,
      encoding: 'utf8',
    })
    expect(installed.status, installed.stderr).toBe(0)
    if (path === 'cold') return
    const engine = spawn(process.execPath, [main, 'engine'], { env, cwd: '/', stdio: 'ignore' })
    engines.push(engine)
    await until(() => existsSync(join(state(), 'engine.sock')))
  })

  it('neither HOME nor XDG_* hides a guard, and what they mean in a line is what the shell makes of it', () => {
    const seen = LINES().map(([line, more]) => [line, more, call(line, more)])
    expect(seen).toEqual(LINES())
  })

  it("paths in the agent's variables are never written, read without end or run", () => {
    const trap = join(home, `trap-${path}`)
    mkdirSync(trap)
    spawnSync('mkfifo', [join(trap, 'pipe')])
    writeFileSync(join(trap, 'code'), `touch ${trap}/ran\n`, { mode: 0o755 })
    const before = readdirSync(trap)
    const made = Object.fromEntries(
      [
        ...[
          'NODE_V8_COVERAGE',
          'NODE_COMPILE_CACHE',
          'NODE_REDIRECT_WARNINGS',
          'SSLKEYLOGFILE',
          'LD_DEBUG_OUTPUT',
        ],
        ...[
          'LD_PROFILE_OUTPUT',
          'MALLOC_TRACE',
          'PYTHONPYCACHEPREFIX',
          'GIT_TRACE',
          'GIT_TRACE2_EVENT',
          'TMPDIR',
        ],
        ...[
          'GCOV_PREFIX',
          'NODE_REPL_HISTORY',
          'HISTFILE',
          'NODE_DIAGNOSTIC_DIR',
          'XDG_CACHE_HOME',
          'XDG_STATE_HOME',
        ],
        ...[
          'CROSSHOOK_STATE_DIR',
          'CROSSHOOK_LOG',
          'CROSSHOOK_KEEPER',
          'CROSSHOOK_AGENT_HOME',
          'LD_TRACE_LOADED_OBJECTS',
        ],
      ].map((name) => [name, join(trap, 'made')]),
    )
    const read = Object.fromEntries(
      [
        ...[
          'NODE_EXTRA_CA_CERTS',
          'OPENSSL_CONF',
          'SSL_CERT_FILE',
          'LD_PRELOAD',
          'LD_AUDIT',
          'GCONV_PATH',
          'LOCPATH',
        ],
        ...[
          'PYTHONSTARTUP',
          'PYTHONHOME',
          'NODE_PATH',
          'NODE_ICU_DATA',
          'HOSTALIASES',
          'NLSPATH',
          'TZDIR',
          'GIT_CONFIG',
        ],
      ].map((name) => [name, join(trap, 'pipe')]),
    )
    const run = {
      BASH_ENV: join(trap, 'code'),
      ENV: join(trap, 'code'),
      SHELL: join(trap, 'code'),
      PS4: `$(touch ${trap}/ran)`,
    }
    const odd = {
      SHELLOPTS: 'xtrace',
      IFS: '/',
      LC_ALL: '../../x',
      TZ: `:${trap}/pipe`,
      UV_THREADPOOL_SIZE: '0',
      MALLOC_ARENA_MAX: '-1',
    }
    const options = { NODE_OPTIONS: `--require ${trap}/code --report-on-signal --trace-event-categories=v8` }
    for (const more of [made, read, run, odd, options, { ...made, ...read, ...run, ...odd, ...options }])
      expect([more, call('rm -rf ~/.config/agents', more)]).toEqual([more, 'deny'])
    expect(readdirSync(trap)).toEqual(before)
  })
})
