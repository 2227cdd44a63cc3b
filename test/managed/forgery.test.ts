/** What a user of the machine tries against a managed installation, and does not get. */

import { type ChildProcess, execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MANAGED } from '../../src/config/managed.ts'
import {
  as,
  ask,
  bash,
  crosshook,
  installedEntry,
  makeUser,
  managedHook,
  processes,
  put,
  RESIDENT_SOCKET,
  startGate,
  stopGate,
  type User,
} from './machine.ts'

let alice: User
let bob: User
let gate: ChildProcess

beforeAll(async () => {
  alice = makeUser('alice')
  bob = makeUser('bob')
  const installed = crosshook('install', '--managed', '--yes', '--json')
  expect(JSON.parse(installed.stdout)).toMatchObject({ ok: true, service: false })
  managedHook('no-deploy', {
    matcher: { command: '^deploy' },
    outcome: { decision: 'deny', reason: 'not from here' },
  })
  managedHook('no-keys', {
    matcher: { does: 'read', path: '~/.ssh/**' },
    outcome: { decision: 'deny', reason: 'keys' },
  })
  managedHook(
    'who',
    { matcher: { command: '^who' } },
    `echo "$(id -un) $(id -gn) home=$HOME BASH_ENV=$BASH_ENV FORGED=$FORGED n=$(($(cat "$AGENT_HOOK_STATE/n" 2>/dev/null) + 1))" > /dev/stderr
echo $(($(cat "$AGENT_HOOK_STATE/n" 2>/dev/null) + 1)) > "$AGENT_HOOK_STATE/n"
exit 2`,
  )
  managedHook(
    'slow',
    { matcher: { command: '^slow' }, timeout: 30_000 },
    'echo $$ > "$AGENT_HOOK_STATE/pid"; sleep 20; exit 0',
  )
  put(MANAGED.settings, 'self_protection = true\n')
  gate = await startGate()
})

afterAll(async () => {
  await stopGate(gate)
  expect(crosshook('uninstall', '--managed', '--yes', '--purge').code).toBe(0)
})

describe('the resident', () => {
  it('decides for every user by the managed hooks, and runs as a user of its own', () => {
    expect(ask(alice, 'deploy now')).toMatchObject({ decision: 'deny', reason: 'not from here' })
    expect(ask(bob, 'deploy now')).toMatchObject({ decision: 'deny' })
    expect(ask(bob, 'ls')).toMatchObject({ decision: 'allow', code: 0 })
    const owner = execFileSync('ps', ['-o', 'user:20=', '-p', String(processes(gate).resident)], {
      encoding: 'utf8',
    })
    expect(owner.trim()).toBe(MANAGED.user)
  })

  it("runs scripts as the one who calls, in the group of hooks, with nothing of the caller's choice", () => {
    const env = { BASH_ENV: '/tmp/x', FORGED: '1', HOME: '/tmp', LD_PRELOAD: '/tmp/x.so' }
    expect(ask(alice, 'who', { env }).reason).toBe(
      'alice crosshook-hooks home=/home/alice BASH_ENV= FORGED= n=1',
    )
    expect(ask(bob, 'who').reason).toContain('bob crosshook-hooks home=/home/bob')
    // What a hook remembers of a session stays with it.
    expect(ask(alice, 'who').reason).toContain('n=2')
  })

  it('sees where links lead, also in a home folder that is closed to it, and whatever HOME says', () => {
    put(join(alice.home, '.ssh/id'), 'secret', alice)
    bash(alice, 'ln -s ~/.ssh ~/harmless')
    expect(ask(alice, 'cat harmless/id').reason).toBe('keys')
    expect(ask(alice, 'cat ~/.ssh/id', { env: { HOME: '/tmp' } }).reason).toBe('keys')
  })

  it('takes nothing from hooks of the user or the project', () => {
    const loosen =
      '---\n{"name": "no-deploy", "description": "x", "trigger": "before_tool", "enabled": false}\n---\n'
    put(join(alice.home, '.config/agents/hooks/no-deploy/HOOK.md'), loosen, alice)
    put(join(alice.home, '.agents/hooks/no-deploy/HOOK.md'), loosen, alice)
    put(
      join(alice.home, '.config/crosshook/config.toml'),
      'disabled = ["no-deploy"]\nself_protection = false\n',
      alice,
    )
    expect(ask(alice, 'deploy').decision).toBe('deny')
  })
})

/** Each as bash of a user; every one of them must fail and change nothing. */
const WRITES: Record<string, (path: string) => string> = {
  'appended to': (path) => `echo forged >> '${path}'`,
  replaced: (path) => `echo forged > /tmp/forged-$$ && mv -f /tmp/forged-$$ '${path}'`,
  removed: (path) => `rm -rf '${path}'`,
  'made writable': (path) => `chmod a+w '${path}'`,
}

describe('a user cannot write', () => {
  it.each([
    ['a hook', () => join(MANAGED.hooks, 'no-deploy/HOOK.md')],
    ["a hook's script", () => join(MANAGED.hooks, 'who/scripts/run.sh')],
    ['the settings', () => MANAGED.settings],
    ['the entry of an agent', () => join(MANAGED.config, 'install/entries/claude-code.entry')],
    ['the link that the agent calls', () => installedEntry()[0]!],
    ["the agent's managed settings", () => '/etc/claude-code/managed-settings.json'],
    ['the relay', () => MANAGED.relay],
    ['the gate', () => MANAGED.gate],
    ['Node', () => MANAGED.node],
    ['the program', () => MANAGED.main],
    ['the service', () => MANAGED.unit],
    ['the key', () => join(MANAGED.state, 'state.key')],
    ['the journal', () => join(MANAGED.state, 'intake/journal.log')],
    ['where sessions began', () => join(MANAGED.state, 'sessions')],
    ['compiled plans', () => join(MANAGED.state, 'cache/crosshook/plans')],
    ['the folder of the canary', () => join(MANAGED.state, 'canary/crosshook-canary-doctor')],
    ['the socket', () => MANAGED.socket],
    ['what hooks remember', () => join(MANAGED.memory, 'sessions')],
  ])('%s', (_what, place) => {
    const path = place()
    const before =
      existsSync(path) && execFileSync('stat', ['-c', '%i %s %a %u %Y', path], { encoding: 'utf8' })
    for (const [how, line] of Object.entries(WRITES)) {
      const { code } = bash(alice, line(path))
      expect([how, code]).not.toEqual([how, 0])
    }
    const after =
      existsSync(path) && execFileSync('stat', ['-c', '%i %s %a %u %Y', path], { encoding: 'utf8' })
    expect(after).toBe(before)
  })

  it('a new hook, entry, plan, setting or socket', () => {
    for (const folder of [
      MANAGED.hooks,
      join(MANAGED.config, 'install/entries'),
      MANAGED.config,
      MANAGED.state,
      MANAGED.run,
      MANAGED.memory,
      join(MANAGED.state, 'cache'),
      '/etc/claude-code',
      '/etc/codex',
      '/etc/gemini-cli',
    ]) {
      expect([folder, bash(alice, `mkdir '${folder}/forged'`).code]).toEqual([folder, 1])
      expect([folder, bash(alice, `echo '{}' > '${folder}/trust.json'`).code]).toEqual([folder, 1])
    }
  })
})

describe('a user cannot', () => {
  it('read the key, the journal or what hooks remember', () => {
    expect(bash(alice, `cat '${MANAGED.state}/state.key'`).code).not.toBe(0)
    expect(bash(alice, `cat '${MANAGED.state}/intake/journal.log'`).code).not.toBe(0)
    for (const folder of [MANAGED.state, MANAGED.memory, join(MANAGED.state, 'cache')])
      expect(bash(alice, `ls '${folder}'`).code).not.toBe(0)
  })

  it("speak to the resident past the gate, which says who calls, or write to the gate's control", () => {
    const { code, stderr } = bash(
      alice,
      `python3 -c "import socket; socket.socket(socket.AF_UNIX).connect('${RESIDENT_SOCKET}')"`,
    )
    expect(code).not.toBe(0)
    expect(stderr).toContain('PermissionError')
    for (const pid of Object.values(processes(gate)))
      expect(bash(alice, `ls /proc/${pid}/fd`).code).not.toBe(0)
  })

  it('end, stop or trace gate, spawner and resident', () => {
    const before = processes(gate)
    for (const pid of Object.values(before)) {
      for (const signal of ['KILL', 'STOP', 'TERM', 'USR1']) {
        const { code, stderr } = bash(alice, `kill -${signal} ${pid}`)
        expect(code).not.toBe(0)
        expect(stderr).toContain('not permitted')
      }
      expect(trace(alice, pid)).toContain('EPERM')
    }
    expect(processes(gate)).toEqual(before)
    expect(ask(alice, 'deploy').decision).toBe('deny')
  })

  it('forge the answer by variables of the environment', async () => {
    // A library that would make every program end well and silently.
    put(
      '/tmp/forge.c',
      '#include <unistd.h>\n__attribute__((constructor)) static void f(void) { _exit(0); }\n',
    )
    execFileSync('cc', ['-shared', '-fPIC', '-o', '/tmp/forge.so', '/tmp/forge.c'])
    // An engine of the user's own, where the environment says that it is.
    const socket = join(alice.home, 'run/crosshook/engine.sock')
    bash(
      alice,
      `mkdir -p ~/run/crosshook ~/state/crosshook && head -c 32 /dev/zero > ~/state/crosshook/state.key`,
    )
    const server = createServer((connection) => connection.end()).listen(socket)
    const hostile: NodeJS.ProcessEnv[] = [
      { LD_PRELOAD: '/tmp/forge.so' },
      { LD_LIBRARY_PATH: '/tmp', LD_AUDIT: '/tmp/forge.so' },
      { XDG_RUNTIME_DIR: join(alice.home, 'run'), XDG_STATE_HOME: join(alice.home, 'state') },
      { CROSSHOOK_NO_DAEMON: '1' },
      { CROSSHOOK_DEBUG: '1' },
      { CROSSHOOK_MANAGED_DIR: '/none', CROSSHOOK_TRUST: 'all' },
      { CROSSHOOK_DEPTH: '99' },
      { CROSSHOOK_RELAY_SECONDS: '1' },
      { NODE_OPTIONS: '--require /tmp/forge.js', PATH: '/tmp' },
      { HOME: '/none', XDG_CONFIG_HOME: '/none', USER: 'root', LOGNAME: 'root' },
      { GLIBC_TUNABLES: 'glibc.malloc.check=3', MALLOC_CHECK_: '3' },
    ]
    for (const env of hostile) expect([env, ask(alice, 'deploy', { env }).decision]).toEqual([env, 'deny'])
    server.close()
  })

  it('have a script run as somebody else, or trace the one that runs', async () => {
    // Bob's own processes are as far from a script that runs as Bob as those of others are.
    const { spawn } = await import('node:child_process')
    const payload = {
      session_id: 'slow',
      cwd: bob.home,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'slow' },
    }
    const [program, ...args] = installedEntry()
    const child = spawn(program!, args, {
      uid: bob.uid,
      gid: bob.gid,
      cwd: '/',
      env: { HOME: bob.home },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let said = ''
    child.stdout.on('data', (chunk) => (said += chunk))
    child.stdin.end(JSON.stringify(payload))
    const find = () =>
      execFileSync('ps', ['-eo', 'pid=,user:20=,group:20=,args='], { encoding: 'utf8' })
        .split('\n')
        .find((line) => /\bbob +crosshook-hooks .*run\.sh/.test(line))
    await expect.poll(find).toBeDefined()
    const pid = Number(find()!.trim().split(/\s+/)[0])
    expect(trace(bob, pid)).toContain('EPERM')
    expect(trace(alice, pid)).toContain('EPERM')
    for (const file of ['mem', 'environ', 'fd/1', 'maps'])
      expect(bash(bob, `head -c 1 /proc/${pid}/${file}`).code).not.toBe(0)
    expect(bash(alice, `kill -KILL ${pid}`).code).not.toBe(0)
    // Its own user may end it: a guard that was ended has not agreed.
    const ended = new Promise((resolve) => child.once('exit', resolve))
    expect(bash(bob, `kill -KILL ${pid}`).code).toBe(0)
    await ended
    expect(JSON.parse(said).hookSpecificOutput.permissionDecision).toBe('deny')
  })

  it('keep others out with many connections', () => {
    const hold = `import socket, time
held = []
for _ in range(400):
    s = socket.socket(socket.AF_UNIX); s.connect('${MANAGED.socket}'); held.append(s)
print('held', flush=True); time.sleep(600)`
    const { spawn } = process.getBuiltinModule('node:child_process')
    const child = spawn('python3', ['-c', hold], {
      uid: alice.uid,
      gid: alice.gid,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return new Promise<void>((resolve, reject) => {
      child.stdout.once('data', () => {
        try {
          expect(ask(bob, 'deploy').reason).toBe('not from here')
          expect(ask(alice, 'deploy')).toMatchObject({
            decision: 'deny',
            reason: expect.stringContaining('cannot check this'),
          })
          resolve()
        } catch (error) {
          reject(error)
        } finally {
          child.kill('SIGKILL')
        }
      })
    })
  })
})

describe('when nobody answers', () => {
  it('the relay refuses, and starts nothing of the user', async () => {
    await stopGate(gate)
    expect(ask(alice, 'ls')).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('the managed resident does not answer (absent)'),
    })
    expect(existsSync(join(alice.home, '.local/state/crosshook'))).toBe(false)
    gate = await startGate()
    expect(ask(alice, 'ls').decision).toBe('allow')
  })

  it('a socket of somebody else in its place is not spoken to', async () => {
    await stopGate(gate)
    rmSync(MANAGED.socket, { force: true })
    // Only root can put it there; the relay looks all the same.
    const server = createServer((connection) => connection.end()).listen(MANAGED.socket)
    await expect.poll(() => existsSync(MANAGED.socket)).toBe(true)
    execFileSync('chown', ['alice', MANAGED.socket])
    expect(ask(bob, 'ls')).toMatchObject({ decision: 'deny', reason: expect.stringContaining('(foreign)') })
    server.close()
    gate = await startGate()
  })

  it('a resident that dies is started again', async () => {
    const { resident } = processes(gate)
    process.kill(resident, 'SIGKILL')
    await expect.poll(() => ask(alice, 'deploy').reason).toBe('not from here')
    expect(processes(gate).resident).not.toBe(resident)
  })
})

it('the journal is kept by the resident, and root reads it', () => {
  const { stdout } = crosshook('managed', 'log', '--json', '--limit', '100000')
  const denied = stdout.split('\n').filter((line) => line.includes('not from here'))
  expect(denied.length).toBeGreaterThan(1)
  expect(as(alice, [MANAGED.node, MANAGED.main, 'managed', 'log']).code).not.toBe(0)
  expect(crosshook('managed', 'verify', '--journal').code).toBe(0)
  expect(readFileSync('/etc/passwd', 'utf8')).toContain(`${MANAGED.user}:`)
})

/** What ptrace says. */
function trace(user: User, pid: number): string {
  const program = `import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
print('traced' if libc.ptrace(16, ${pid}, 0, 0) == 0 else errno.errorcode[ctypes.get_errno()])`
  return bash(user, `python3 -c "$PROGRAM"`, { PROGRAM: program }).stdout
}
