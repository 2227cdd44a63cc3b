/** A machine with a managed installation and two ordinary users. Only inside test/managed/enter.sh. */

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MANAGED } from '../../src/config/managed.ts'

// It makes users and writes below /etc: never on the machine of whoever runs the tests.
if (!/ \/etc overlay /.test(readFileSync('/proc/self/mounts', 'utf8')))
  throw new Error('The tests of a managed installation run in mounts of their own: npm run test:managed')

const PROGRAM = fileURLToPath(new URL('../../bin/crosshook', import.meta.url))
export const RESIDENT_SOCKET = `${MANAGED.run}/resident/crosshook/engine.sock`

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

export interface User {
  name: string
  uid: number
  gid: number
  home: string
}

export function makeUser(name: string): User {
  if (!readFileSync('/etc/passwd', 'utf8').includes(`\n${name}:`))
    execFileSync('useradd', ['--create-home', '--shell', '/bin/bash', name])
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(execFileSync('id', [flag, name], { encoding: 'utf8' })),
  )
  const home = `/home/${name}`
  chmodSync(home, 0o700)
  return { name, uid: uid!, gid: gid!, home }
}

/** As root. */
export function crosshook(...args: string[]): Ran {
  return ran(
    spawnSync(PROGRAM, args, { encoding: 'utf8', cwd: '/', env: { PATH: process.env.PATH, HOME: '/root' } }),
  )
}

/** A program as a user of the machine, with nothing of root's. */
export function as(
  user: User,
  argv: readonly string[],
  more: { input?: string; env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Ran {
  return ran(
    spawnSync(argv[0]!, argv.slice(1), {
      encoding: 'utf8',
      cwd: more.cwd ?? '/',
      input: more.input ?? '',
      uid: user.uid,
      gid: user.gid,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: user.home, USER: user.name, ...more.env },
    }),
  )
}

function ran({ status, stdout, stderr, error }: ReturnType<typeof spawnSync>): Ran {
  if (error) throw error
  return { code: status, stdout: String(stdout), stderr: String(stderr) }
}

/** A line of bash as that user. */
export function bash(user: User, line: string, env: NodeJS.ProcessEnv = {}): Ran {
  return as(user, ['/bin/bash', '-c', line], { env })
}

export function installedEntry(): string[] {
  const settings = JSON.parse(readFileSync('/etc/claude-code/managed-settings.json', 'utf8'))
  const [{ command, args }] = settings.hooks.PreToolUse.at(-1).hooks
  return [command, ...args]
}

/** What an agent of this user is told about a shell command. */
export function ask(
  user: User,
  command: string,
  {
    env = {},
    entry = installedEntry(),
    cwd = user.home,
  }: { env?: NodeJS.ProcessEnv; entry?: string[]; cwd?: string } = {},
): { decision: string; reason: string; code: number | null } {
  const payload = {
    session_id: `s-${user.name}`,
    cwd,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
  }
  const { code, stdout, stderr } = as(user, entry, { input: JSON.stringify(payload), env, cwd })
  const said = stdout === '' ? {} : (JSON.parse(stdout).hookSpecificOutput ?? {})
  return {
    code,
    decision: said.permissionDecision ?? (code === 2 ? 'deny' : 'allow'),
    reason: said.permissionDecisionReason ?? stderr,
  }
}

export function managedHook(name: string, head: object, script?: string): void {
  const folder = join(MANAGED.hooks, name)
  put(
    join(folder, 'HOOK.md'),
    `---\n${JSON.stringify({ name, description: 'x', trigger: 'before_tool', ...head })}\n---\n`,
  )
  if (script === undefined) return
  put(join(folder, 'scripts/run.sh'), `#!/bin/bash\n${script}\n`)
  chmodSync(join(folder, 'scripts/run.sh'), 0o755)
}

export function put(file: string, text: string, owner?: User): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  if (owner)
    for (let at = file; at !== owner.home && at !== '/'; at = dirname(at)) chownSync(at, owner.uid, owner.gid)
}

/** As the unit of the service starts it; there is no systemd in here. */
export async function startGate(): Promise<ChildProcess> {
  const line = /^ExecStart=(.*)$/m.exec(readFileSync(MANAGED.unit, 'utf8'))![1]!
  const [program, ...args] = line.split(' ')
  const gate = spawn(program!, args, { stdio: 'ignore', env: {} })
  await until(() => existsSync(RESIDENT_SOCKET), 'the resident listens')
  return gate
}

export async function stopGate(gate: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => gate.once('exit', resolve))
  gate.kill('SIGTERM')
  await ended
  rmSync(RESIDENT_SOCKET, { force: true })
}

/** The gate, its spawner and the resident. */
export function processes(gate: ChildProcess): { gate: number; spawner: number; resident: number } {
  const children = readFileSync(`/proc/${gate.pid}/task/${gate.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number)
  const isNode = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(MANAGED.node)
  return { gate: gate.pid!, spawner: children.find((pid) => !isNode(pid))!, resident: children.find(isNode)! }
}

async function until(condition: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 60_000
  while (!condition()) {
    if (Date.now() > end) throw new Error(`in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
