/** What a managed installation writes, whether it is whole, and that it goes without a trace. */

import { type ChildProcess, execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MANAGED } from '../../src/config/managed.ts'
import {
  as,
  ask,
  crosshook,
  makeUser,
  managedHook,
  processes,
  put,
  startGate,
  stopGate,
  type User,
} from './machine.ts'

let alice: User
let gate: ChildProcess

const SETTINGS = '/etc/claude-code/managed-settings.json'
/** With a comment's worth of odd bytes: nothing of it may be lost. */
const BEFORE = '{\n\t"permissions": { "deny": ["Bash(curl:*)"] },   "cleanupPeriodDays": 7\n\n}'

beforeAll(() => {
  alice = makeUser('alice')
})

/** All files below the folders that an installation may touch, with owner, mode and content. */
function tree(): string {
  const list = `find /etc /opt /var/lib/crosshook /run/crosshook -xdev \\( -type f -o -type l -o -type d \\) -printf '%p %y %m %u %g %l\\n' 2>/dev/null | grep -v -- '-$\\|/etc/.pwd.lock' | sort`
  const sums = `find /etc -xdev -type f -not -name '*-' -not -name .pwd.lock -exec sha256sum {} + | sort`
  return execFileSync('bash', ['-c', `${list}; ${sums}`], { encoding: 'utf8', maxBuffer: 1 << 28 })
}

it('comes and goes without a trace: uninstall restores every byte', async () => {
  put(SETTINGS, BEFORE)
  const before = tree()
  expect(crosshook('install', '--managed', '--dry-run').stdout).toContain('managed-settings.json')
  expect(tree()).toBe(before)
  expect(crosshook('install', '--managed', '--yes').code).toBe(0)
  expect(JSON.parse(readFileSync(SETTINGS, 'utf8'))).toMatchObject({
    cleanupPeriodDays: 7,
    hooks: { PreToolUse: [{}] },
  })
  const once = tree()
  expect(crosshook('install', '--managed', '--yes').code).toBe(0)
  expect(tree()).toBe(once)
  gate = await startGate()
  expect(ask(alice, 'ls').decision).toBe('allow')
  await stopGate(gate)
  expect(crosshook('uninstall', '--managed', '--yes', '--purge').code).toBe(0)
  expect(tree()).toBe(before)
  rmSync('/etc/claude-code', { recursive: true })
})

it('keeps the journal and the hooks of the administrator, unless it is told to purge', () => {
  crosshook('install', '--managed', '--yes')
  managedHook('mine', { outcome: { decision: 'deny', reason: 'x' } })
  expect(crosshook('uninstall', '--managed', '--yes').code).toBe(0)
  expect(existsSync(MANAGED.state)).toBe(true)
  expect(existsSync(join(MANAGED.hooks, 'mine/HOOK.md'))).toBe(true)
  expect(existsSync(MANAGED.program)).toBe(false)
  expect(crosshook('uninstall', '--managed', '--yes', '--purge').code).toBe(0)
  rmSync(MANAGED.hooks, { recursive: true })
})

it('is for root alone', () => {
  const program = join(import.meta.dirname, '../../bin/crosshook')
  for (const command of ['install', 'uninstall']) {
    const { code, stderr } = as(alice, [program, command, '--managed', '--yes'])
    expect(code).not.toBe(0)
    expect(stderr).toContain(`sudo crosshook ${command} --managed`)
  }
  expect(existsSync(MANAGED.program)).toBe(false)
})

describe('doctor', () => {
  beforeEach(async () => {
    crosshook('install', '--managed', '--yes')
    managedHook('guard', { matcher: { command: '^deploy' }, outcome: { decision: 'deny', reason: 'x' } })
    gate = await startGate()
  })
  afterEach(async () => {
    await stopGate(gate)
    crosshook('uninstall', '--managed', '--yes', '--purge')
    rmSync(MANAGED.hooks, { recursive: true, force: true })
  })

  const doctor = () => {
    const { stdout } = as(alice, [MANAGED.node, MANAGED.main, 'doctor', '--managed', '--json'])
    return JSON.parse(stdout) as {
      ok: boolean
      problems: { message: string }[]
      resident: number
      agents: { id: string; events: { state: string }[] }[]
    }
  }

  it('says to every user that all is whole: each wired agent was refused through its own entry', () => {
    const { ok, problems, resident, agents } = doctor()
    expect(problems).toEqual([])
    expect(ok).toBe(true)
    expect(resident).toBe(processes(gate).resident)
    expect(agents.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['claude-code', 'codex', 'gemini-cli', 'copilot']),
    )
    for (const { id, events } of agents)
      expect([
        id,
        events.some(({ state }) => state === 'obeyed'),
        events.some(({ state }) => state === 'broken'),
      ]).toEqual([id, true, false])
  }, 240_000)

  it.each<[string, () => void, RegExp]>([
    [
      'a hook that others may write',
      () => chmodSync(join(MANAGED.hooks, 'guard/HOOK.md'), 0o666),
      /others may write to .*guard\/HOOK.md/,
    ],
    [
      'an entry of somebody else',
      () => chownSync(join(MANAGED.config, 'install/entries/codex.entry'), alice.uid, alice.gid),
      /codex.entry belongs to user/,
    ],
    [
      'a program of somebody else',
      () => chownSync(MANAGED.node, alice.uid, alice.gid),
      /bin\/node belongs to user/,
    ],
    [
      'a state folder that others may read',
      () => chmodSync(MANAGED.state, 0o755),
      /\/var\/lib\/crosshook is not of the user crosshook alone/,
    ],
    [
      'a user in the group of hooks',
      () => void execFileSync('gpasswd', ['--add', 'alice', MANAGED.hooksGroup]),
      /alice is a member of crosshook-hooks/,
    ],
    [
      'another service',
      () => writeFileSync(MANAGED.unit, '[Service]\nExecStart=/bin/true\n'),
      /not what this crosshook would write/,
    ],
    ['a relay that is not static', () => cpSync('/bin/ls', MANAGED.relay), /not linked statically/],
    ['no resident', () => rmSync(MANAGED.socket), /nobody listens/],
  ])(
    'names %s',
    (_what, spoil, message) => {
      spoil()
      const { ok, problems } = doctor()
      expect(ok).toBe(false)
      expect(problems.map(({ message }) => message).join('\n')).toMatch(message)
    },
    240_000,
  )

  it('names settings that were taken out', () => {
    writeFileSync(SETTINGS, '{}')
    const { ok, agents } = doctor()
    expect(ok).toBe(false)
    expect(agents.find(({ id }) => id === 'claude-code')).toMatchObject({ wired: false })
  }, 240_000)
})

describe('the gate', () => {
  /** In place of the resident: asks the spawner for programs that it must not start, and says what it was told. */
  const FALSE_RESIDENT = `
    const { Socket } = require('node:net')
    const { writeFileSync } = require('node:fs')
    const start = (id, flags, caller, argv) => {
      const texts = Buffer.from(['/', ...argv].join('\\0') + '\\0')
      const head = Buffer.alloc(28 + (flags & 4 ? 4 : 0))
      head.writeUInt32LE(head.length + texts.length, 0); head.writeUInt32LE(id, 4); head[8] = 1; head[9] = flags
      head.writeUInt32LE(1000, 12); head.writeUInt32LE(argv.length, 16); head.writeUInt32LE(texts.length, 24)
      if (flags & 4) head.writeUInt32LE(caller, 28)
      return Buffer.concat([head, texts])
    }
    const control = new Socket({ fd: 3 })
    let told = ''
    control.on('data', (data) => {
      told += data.toString('hex') + '\\n'
      writeFileSync('/run/crosshook/resident/told', told)
    })
    for (const caller of [0, 1, 2, 1025, 4294967295]) control.write(start(10 + caller % 7, 4, caller, ['/usr/bin/touch', '/tmp/forged']))
    control.write(start(9, 0, 0, ['/usr/bin/touch', '/tmp/forged']))
    setInterval(() => {}, 1000)`

  it('starts nothing for a resident that names no connection, or one that is not there', async () => {
    crosshook('install', '--managed', '--yes')
    put('/tmp/false.cjs', FALSE_RESIDENT)
    const line = /^ExecStart=(.*)$/m.exec(readFileSync(MANAGED.unit, 'utf8'))![1]!
    const [program, ...args] = line.slice(0, line.indexOf(' -- ')).split(' ')
    const { spawn } = process.getBuiltinModule('node:child_process')
    const child = spawn(program!, [...args, '--', MANAGED.node, '/tmp/false.cjs'], {
      stdio: 'ignore',
      env: {},
    })
    const told = '/run/crosshook/resident/told'
    // Six answers and the word that it is ready: each says that nothing was started, because it is not permitted (1).
    await expect.poll(() => (existsSync(told) ? statSync(told).size : 0)).toBeGreaterThan(7 * 40 - 1)
    const frames = readFileSync(told, 'utf8').replaceAll('\n', '').match(/.{40}/g)!
    expect(frames.slice(1).map((frame) => [frame.slice(16, 18), frame.slice(24, 32)])).toEqual(
      Array(6).fill(['03', '01000000']),
    )
    expect(existsSync('/tmp/forged')).toBe(false)
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
    crosshook('uninstall', '--managed', '--yes', '--purge')
  })
})
