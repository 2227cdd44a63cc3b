/** The installed entry, called as an agent calls it: nothing in the agent's environment, and no fault, makes it silent. */

import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unsetByEntries } from '../src/spec/hostile-variables.ts'

const ROOT = join(import.meta.dirname, '..')
const REFUSED = /crosshook cannot check this/

interface Machine {
  home: string
  project: string
  env: NodeJS.ProcessEnv
  dist: string
}

let base: string
let machine: Machine

/** A copy of the program that may be broken, installed for two agents with one guard: a script, which shows its environment. */
function makeMachine(
  name: string,
  more: { env?: NodeJS.ProcessEnv; args?: string[]; relay?: boolean } = {},
): Machine {
  const home = join(base, name)
  const project = join(home, 'project')
  const dist = join(home, 'crosshook/dist')
  mkdirSync(project, { recursive: true })
  for (const part of ['cli', 'shared'])
    cpSync(join(ROOT, 'dist', part), join(dist, part), { recursive: true })
  if (more.relay !== false) cpSync(join(ROOT, 'dist/relay'), join(dist, 'relay'), { recursive: true })
  const guard = join(home, '.config/agents/hooks/guard')
  mkdirSync(join(guard, 'scripts'), { recursive: true })
  writeFileSync(
    join(guard, 'HOOK.md'),
    '---\nname: guard\ndescription: Refuses.\ntrigger: before_tool\nmatcher:\n  tool: Shell\non_failure: closed\n---\n',
  )
  writeFileSync(join(guard, 'scripts/run.py'), 'import sys\nsys.stderr.write("guarded")\nsys.exit(2)\n', {
    mode: 0o755,
  })
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home, ...more.env }
  const installed = spawnSync(
    process.execPath,
    [
      join(dist, 'cli/main.cjs'),
      'install',
      'claude-code',
      'codex',
      '--yes',
      '--all-events',
      ...(more.args ?? []),
    ],
    { env, cwd: project, encoding: 'utf8' },
  )
  expect(installed.stderr + (installed.status === 0 ? '' : installed.stdout)).toBe('')
  return { home, project, env, dist }
}

interface ClaudeEntry {
  command: string
  args: string[]
  onFailure?: string
}

function claudeEntry({ home }: Machine, event = 'PreToolUse'): ClaudeEntry {
  const { hooks } = JSON.parse(readFileSync(join(home, '.claude/settings.json'), 'utf8'))
  return hooks[event][0].hooks[0]
}

function payload({ project }: Machine, event = 'PreToolUse'): string {
  const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: '1' }
  return JSON.stringify({ session_id: 's', cwd: project, hook_event_name: event, ...call })
}

interface Called {
  status: number | null
  reason: string | undefined
  stderr: string
  stdout: string
}

/** As Claude Code does: the program with its arguments; or as one that drops them, through a shell. */
function call(
  on: Machine,
  { env = {}, event = 'PreToolUse', how = 'args' as 'args' | 'shell', before = '' } = {},
): Called {
  const { command, args } = claudeEntry(on, event)
  const words = how === 'args' ? [command, ...args] : [command]
  const [program, ...rest] =
    before === '' && how === 'args' ? words : ['/bin/sh', '-c', `${before}\nexec "$0" "$@"`, ...words]
  const { status, stdout, stderr } = spawnSync(program!, rest, {
    env: { ...on.env, ...env },
    cwd: on.project,
    input: payload(on, event),
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, stdout, stderr, reason: reasonIn(stdout) }
}

function reasonIn(stdout: string): string | undefined {
  if (stdout.trim() === '') return undefined
  const { hookSpecificOutput } = JSON.parse(stdout)
  return hookSpecificOutput?.permissionDecision === 'deny'
    ? hookSpecificOutput.permissionDecisionReason
    : undefined
}

function stopEngine({ home }: Machine): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const variables = readFileSync(join('/proc', pid, 'environ'), 'latin1').split('\0')
      if (variables.includes(`HOME=${home}`)) process.kill(Number(pid), 'SIGKILL')
    } catch {
      // it has ended meanwhile, or is another user's
    }
  }
  rmSync(join(home, '.local/state/crosshook/engine.sock'), { force: true })
}

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'xh-entry-')))
  machine = makeMachine('m')
})

afterAll(() => {
  stopEngine(machine)
  rmSync(base, { recursive: true, force: true, maxRetries: 5 })
})

const EVIL = '/nonexistent/evil'
const ATTACKS: Record<string, NodeJS.ProcessEnv> = {
  ...Object.fromEntries(
    unsetByEntries()
      .names.filter((name) => name !== 'IFS')
      .map((name) => [name, { [name]: EVIL }]),
  ),
  HOME: { HOME: EVIL },
  PATH: { PATH: EVIL },
  XDG_CONFIG_HOME: { XDG_CONFIG_HOME: EVIL },
  XDG_STATE_HOME: { XDG_STATE_HOME: EVIL },
  XDG_CACHE_HOME: { XDG_CACHE_HOME: EVIL },
  XDG_RUNTIME_DIR: { XDG_RUNTIME_DIR: EVIL },
  XDG_CONFIG_DIRS: { XDG_CONFIG_DIRS: EVIL },
  CROSSHOOK_TRUST: { CROSSHOOK_TRUST: 'all' },
  CROSSHOOK_MANAGED_DIR: { CROSSHOOK_MANAGED_DIR: EVIL },
  CROSSHOOK_NO_DAEMON: { CROSSHOOK_NO_DAEMON: '1' },
  CROSSHOOK_DEBUG: { CROSSHOOK_DEBUG: '1' },
  CROSSHOOK_RELAY: { CROSSHOOK_RELAY: 'absent' },
  CROSSHOOK_RELAY_SECONDS: { CROSSHOOK_RELAY_SECONDS: '1' },
  CROSSHOOK_ANSWER: { CROSSHOOK_ANSWER: 'code' },
  LD_LIBRARY_PATH: { LD_LIBRARY_PATH: EVIL },
  PYTHONUSERBASE: { PYTHONUSERBASE: EVIL },
  PYTHONHOME: { PYTHONHOME: EVIL },
  GIT_CONFIG_COUNT: { GIT_CONFIG_COUNT: '1' },
  CLAUDE_CODE_SESSION_ID: { CLAUDE_CODE_SESSION_ID: 'x' },
  CURSOR_VERSION: { CURSOR_VERSION: '1' },
  COPILOT_CLI: { COPILOT_CLI: '1', COPILOT_PROJECT_DIR: '/' },
}

describe.each(['warm', 'cold'] as const)('the %s guard', (kind) => {
  it.each(Object.keys(ATTACKS))('stays whatever %s says', (name) => {
    if (kind === 'cold') stopEngine(machine)
    expect(call(machine, { env: ATTACKS[name]! })).toMatchObject({ status: 0, reason: 'guarded' })
  })
})

it('refuses calls that are nested too deep, also when the depth is no number', () => {
  for (const depth of ['5', '9', 'x', '1e9'])
    expect(call(machine, { env: { CROSSHOOK_DEPTH: depth } }).reason).toMatch(/without end/)
})

it('runs no code of the project in Node, Python or the shell', () => {
  const mark = join(machine.project, 'ran')
  writeFileSync(join(machine.project, 'evil.cjs'), `require('fs').writeFileSync('${mark}', 'node')`)
  writeFileSync(join(machine.project, 'usercustomize.py'), `open('${mark}', 'w').write('python')`)
  mkdirSync(join(machine.project, 'bin'), { recursive: true })
  for (const name of ['node', 'python3', 'sh', 'bash', 'env'])
    writeFileSync(join(machine.project, 'bin', name), `#!/bin/sh\necho ${name} > '${mark}'\n`, {
      mode: 0o755,
    })
  const env = {
    NODE_OPTIONS: `-r ${join(machine.project, 'evil.cjs')}`,
    PYTHONPATH: machine.project,
    BASH_ENV: join(machine.project, 'bin/sh'),
    ENV: join(machine.project, 'bin/sh'),
    PATH: `${join(machine.project, 'bin')}:/usr/bin:/bin`,
  }
  for (const isCold of [false, true]) {
    if (isCold) stopEngine(machine)
    expect(call(machine, { env }).reason).toBe('guarded')
    expect(existsSync(mark) ? readFileSync(mark, 'utf8') : 'nothing').toBe('nothing')
  }
})

it('works for agents that drop the arguments, and in the form for a shell', () => {
  expect(call(machine, { how: 'shell' }).reason).toBe('guarded')
  const { hooks } = JSON.parse(readFileSync(join(machine.home, '.codex/hooks.json'), 'utf8'))
  const { stdout } = spawnSync('/bin/sh', ['-c', hooks.PreToolUse[0].hooks[0].command], {
    env: { CLAUDE_CODE_SESSION_ID: 'x' },
    cwd: machine.project,
    input: payload(machine),
    encoding: 'utf8',
  })
  expect(reasonIn(stdout)).toBe('guarded')
})

/** As if Node had been replaced by another version after the installation. */
function callWithUnknownOption(on: Machine): Called {
  const entry = readFileSync(entryOf(on), 'utf8')
  expect(entry).toContain('\t--no-rehash-snapshot')
  writeFileSync(entryOf(on), entry.replace('--no-rehash-snapshot', '--no-such-option'), { mode: 0o600 })
  try {
    return call(on)
  } finally {
    writeFileSync(entryOf(on), entry, { mode: 0o600 })
  }
}

it('a Node that does not know its options any more still guards', () => {
  stopEngine(machine)
  expect(callWithUnknownOption(machine)).toMatchObject({ status: 0, reason: 'guarded', stderr: '' })
})

describe('when the program cannot run', () => {
  let broken: Machine
  beforeAll(() => {
    broken = makeMachine('b')
  })
  afterAll(() => stopEngine(broken))

  const file = (name: string) => join(broken.dist, 'cli', name)
  const FAULTS: Record<string, () => { before?: string } | undefined> = {
    'main.cjs is empty': () => void writeFileSync(file('main.cjs'), ''),
    'hot.cjs is empty': () => void writeFileSync(file('hot.cjs'), ''),
    'hot.cjs is cut in half': () => void truncateSync(file('hot.cjs'), 20_000),
    'the dialect is cut off': () => void truncateSync(file('dialects/claude-code.cjs'), 500),
    'main.cjs is gone': () => void rmSync(file('main.cjs')),
    'main.cjs prints something and ends well': () =>
      void writeFileSync(file('main.cjs'), 'console.log("{}")'),
    'all of the program is gone': () => void rmSync(join(broken.dist, 'cli'), { recursive: true }),
    'out of memory': () => ({ before: 'ulimit -v 300000' }),
    'there are no descriptors': () => ({ before: 'ulimit -n 5' }),
    'the entry file is empty': () => void writeFileSync(entryOf(broken), ''),
    'the entry file is cut off': () => void truncateSync(entryOf(broken), 900),
    'the entry file is gone': () => void rmSync(entryOf(broken)),
  }

  it.each(Object.keys(FAULTS))('the call is refused, with words: %s', (name) => {
    const kept = join(base, 'kept')
    cpSync(join(broken.dist, 'cli'), kept, { recursive: true })
    const entry = readFileSync(entryOf(broken))
    stopEngine(broken)
    try {
      const called = call(broken, FAULTS[name]!() ?? {})
      if (called.status === 2) expect(called.stderr).toMatch(REFUSED)
      else expect(called).toMatchObject({ status: 0, reason: expect.stringMatching(REFUSED) })
      expect(called.stdout + called.stderr).toContain('crosshook install claude-code')
    } finally {
      rmSync(join(broken.dist, 'cli'), { recursive: true, force: true })
      cpSync(kept, join(broken.dist, 'cli'), { recursive: true })
      rmSync(kept, { recursive: true })
      writeFileSync(entryOf(broken), entry, { mode: 0o600 })
    }
  })

  it.each([10, 3_000_000])(
    'the call is refused at once when Node is gone, with %i bytes more to read',
    (more) => {
      const entry = readFileSync(entryOf(broken), 'utf8')
      stopEngine(broken)
      writeFileSync(
        entryOf(broken),
        entry.replaceAll(process.execPath, '/nowhere/node').replaceAll(/(PATH=)[^\n]*/g, '$1/nowhere'),
      )
      try {
        // Several times: whether the end of the child or of its output is seen first is a matter of luck.
        for (let round = 0; round < 10; round++) {
          const { command, args } = claudeEntry(broken)
          const { status, stdout, error } = spawnSync(command, args, {
            env: broken.env,
            cwd: broken.project,
            input: `${payload(broken).slice(0, -1)},"more":"${'x'.repeat(more)}"}`,
            encoding: 'utf8',
            timeout: 10_000,
          })
          expect([status, error]).toEqual([0, undefined])
          expect(reasonIn(stdout)).toMatch(REFUSED)
        }
      } finally {
        writeFileSync(entryOf(broken), entry, { mode: 0o600 })
      }
    },
  )

  it('a stop is not refused, which would keep the agent working, but said', () => {
    stopEngine(broken)
    writeFileSync(file('main.cjs'), '')
    const { status, stdout } = call(broken, { event: 'Stop' })
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ systemMessage: expect.stringMatching(REFUSED) })
  })

  it('the shell of an entry refuses when the relay is gone', () => {
    const { hooks } = JSON.parse(readFileSync(join(broken.home, '.codex/hooks.json'), 'utf8'))
    rmSync(join(broken.dist, 'relay'), { recursive: true })
    const { stdout } = spawnSync('/bin/sh', ['-c', hooks.PreToolUse[0].hooks[0].command], {
      env: {},
      cwd: broken.project,
      input: payload(broken),
      encoding: 'utf8',
    })
    expect(reasonIn(stdout)).toMatch(REFUSED)
    expect(claudeEntry(broken).onFailure).toBe('block')
  })
})

describe('without a relay for the machine', () => {
  let bare: Machine
  beforeAll(() => {
    bare = makeMachine('s', { relay: false })
  })

  it('a script guards in its place, whatever the environment says', () => {
    expect(claudeEntry(bare).command).toContain('/install/entries/claude-code/PreToolUse')
    const env = {
      HOME: EVIL,
      NODE_OPTIONS: '-r /nope',
      CROSSHOOK_TRUST: 'all',
      XDG_CONFIG_HOME: EVIL,
      PATH: EVIL,
    }
    expect(call(bare).reason).toBe('guarded')
    expect(call(bare, { env }).reason).toBe('guarded')
    expect(call(bare, { how: 'shell' }).reason).toBe('guarded')
    expect(callWithUnknownOption(bare).reason).toBe('guarded')
  })

  it.skipIf(!existsSync('/bin/bash'))(
    'functions and options of the environment do not reach it in bash',
    () => {
      const script = join(bare.home, '.local/state/crosshook/install/entries/run.sh')
      const [, ...options] = readFileSync(script, 'utf8').split('\n')[0]!.split(' ')
      const sh = join(bare.home, 'sh')
      symlinkSync('/bin/bash', sh)
      const mark = join(bare.home, 'ran')
      const names = [
        '[',
        'test',
        'printf',
        'echo',
        'read',
        'kill',
        'sleep',
        'wait',
        'pwd',
        'cd',
        'env',
        'sed',
        'grep',
      ]
      const special = [
        'unset',
        'set',
        'exit',
        'export',
        'exec',
        ':',
        'node',
        'say',
        'fill',
        'refuse',
        'is_cleared',
      ]
      const functions = [...names, ...special].map((name) => [
        `BASH_FUNC_${name}%%`,
        `() { builtin echo ${name} >> '${mark}'; builtin exit 0; }`,
      ])
      const env = {
        ...bare.env,
        ...Object.fromEntries(functions),
        ...{ SHELLOPTS: 'xtrace:noexec', BASHOPTS: 'expand_aliases', PS4: `$(echo ps4 >> '${mark}')` },
        ...{ BASH_ENV: EVIL, ENV: EVIL, IFS: '/', CDPATH: '/', GLOBIGNORE: '*', PATH: EVIL },
      }
      const { args } = claudeEntry(bare)
      const words = args.length > 0 ? args : ['hook', 'claude-code', 'PreToolUse', `--entry=${entryOf(bare)}`]
      const { stdout } = spawnSync(sh, [...options, script, ...words], {
        env,
        cwd: bare.project,
        input: payload(bare),
        encoding: 'utf8',
      })
      expect(existsSync(mark) ? readFileSync(mark, 'utf8') : 'nothing').toBe('nothing')
      expect(reasonIn(stdout)).toBe('guarded')
    },
  )

  it('a pipe in place of its entry file is no entry file', () => {
    const kept = readFileSync(entryOf(bare))
    rmSync(entryOf(bare))
    spawnSync('mkfifo', [entryOf(bare)])
    const { status, stderr, stdout } = call(bare)
    expect([status, stderr + stdout]).toEqual([2, expect.stringMatching(REFUSED)])
    rmSync(entryOf(bare))
    writeFileSync(entryOf(bare), kept, { mode: 0o600 })
  })

  it('and refuses when the program does not answer', () => {
    writeFileSync(join(bare.dist, 'cli/hot.cjs'), '')
    expect(call(bare).reason).toMatch(REFUSED)
    rmSync(join(bare.dist, 'cli'), { recursive: true })
    expect(call(bare).reason).toMatch(REFUSED)
  })
})

it('--fail open is written where people see it, and lets calls go on with a word about it', () => {
  const open = makeMachine('o', { args: ['--fail', 'open'] })
  expect(claudeEntry(open)).toMatchObject({ args: expect.arrayContaining(['--fail=open']) })
  expect(claudeEntry(open)).not.toHaveProperty('onFailure')
  expect(call(open).reason).toBe('guarded')
  stopEngine(open)
  writeFileSync(join(open.dist, 'cli/main.cjs'), '')
  const { status, stdout, reason } = call(open)
  expect({ status, reason }).toEqual({ status: 0, reason: undefined })
  expect(stdout).toMatch(REFUSED)
})

it('uninstall leaves no entry behind', () => {
  const gone = makeMachine('u')
  spawnSync(process.execPath, [join(gone.dist, 'cli/main.cjs'), 'uninstall', '--yes'], {
    env: gone.env,
    cwd: gone.project,
  })
  expect(existsSync(join(gone.home, '.local/state/crosshook/install/entries'))).toBe(false)
})

function entryOf({ home }: Machine): string {
  return join(home, '.local/state/crosshook/install/entries/claude-code.entry')
}

it('reads the whole payload of a call that it refuses, so that the agent has no broken pipe', () => {
  const relay = join(ROOT, 'dist/relay/crosshook-relay')
  const args = ['hook', 'codex', 'PreToolUse', `--entry=${join(base, 'no-such.entry')}`]
  const { status, error, stderr } = spawnSync(relay, args, { input: 'x'.repeat(3_000_000), encoding: 'utf8' })
  expect(error).toBeUndefined()
  expect(status).toBe(2)
  expect(stderr).toMatch(REFUSED)
})
