/** A disk of the test's own that can be filled and made read-only: a tmpfs in a mount namespace, which goes with its process. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { COMPILE_CACHE } from '../compile-cache.ts'

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

export interface FaultyDisk {
  project: string
  env: NodeJS.ProcessEnv
  /** `crosshook …`, or another program, with this disk. */
  crosshook(args: readonly string[], input?: string): Promise<Ran>
  run(program: string, args: readonly string[], input?: string): Promise<Ran>
  /** Starts it and goes on. */
  start(args: readonly string[]): ChildProcess
  break(): Promise<void>
  mend(): Promise<void>
}

export type Fault = 'full' | 'read-only'
export const FAULTS: readonly Fault[] = ['full', 'read-only']

/** What a person reads of it. */
export const REASON: Readonly<Record<Fault, string>> = {
  full: 'no space left|disk is full',
  'read-only': 'read-only|only be read',
}
/** The last page of each file has room left on a full disk: it is used up after so many rounds of events. */
export const ROUNDS: Readonly<Record<Fault, number>> = { full: 4, 'read-only': 1 }

const isRoot = process.getuid?.() === 0
const UNSHARE = [...(isRoot ? [] : ['--map-root-user']), '--mount', '--propagation', 'private']

/** Why no such disk can be made here; undefined where it can. */
export const refused = whyRefused()
if (refused !== undefined) console.warn(`The tests of full and read-only disks are left out: ${refused}`)

function whyRefused(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'crosshook-disk-'))
  const { error, status, stderr } = spawnSync(
    'unshare',
    [...UNSHARE, 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'none', folder],
    { encoding: 'utf8' },
  )
  rmSync(folder, { recursive: true })
  if (error) return `unshare cannot be run: ${error.message}`
  return status === 0 ? undefined : `no mount namespace: ${stderr.trim()}`
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = process.env.CROSSHOOK_PROGRAM ?? join(root, 'bin/crosshook')

/** State and cache are on the disk; settings, hooks and sockets are not. */
export async function faultyDisk(fault: Fault): Promise<FaultyDisk> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'xh-disk-')))
  const [disk, project] = [join(home, 'disk'), join(home, 'project')]
  for (const folder of [disk, project, join(home, 'run')]) mkdirSync(folder)
  const script = 'mount -t tmpfs -o size=32m,mode=700 none "$0" && echo ready && exec cat'
  const holder = spawn('unshare', [...UNSHARE, 'sh', '-c', script, disk], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    holder.kill('SIGKILL')
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  })
  await new Promise((resolve) => holder.stdout.once('data', resolve))
  const env: NodeJS.ProcessEnv = {
    ...COMPILE_CACHE,
    PATH: process.env.PATH,
    HOME: home,
    XDG_STATE_HOME: join(disk, 'state'),
    XDG_CACHE_HOME: join(disk, 'cache'),
    XDG_RUNTIME_DIR: join(home, 'run'),
    CROSSHOOK_MANAGED_DIR: join(home, 'managed'),
  }
  const enter = ['--target', String(holder.pid), '--mount']
  if (!isRoot) enter.push('--user', '--preserve-credentials')
  const begin = (name: string, args: readonly string[]) =>
    spawn('nsenter', [...enter, '--', 'sh', '-c', 'cd "$0" && exec "$@"', project, name, ...args], { env })
  const run: FaultyDisk['run'] = (name, args, input = '') =>
    new Promise((resolve, reject) => {
      const child = begin(name, args)
      const ran: Ran = { code: null, stdout: '', stderr: '' }
      child.stdout.setEncoding('utf8').on('data', (text: string) => (ran.stdout += text))
      child.stderr.setEncoding('utf8').on('data', (text: string) => (ran.stderr += text))
      child.once('error', reject)
      child.once('close', (code) => resolve({ ...ran, code }))
      child.stdin.on('error', () => {}) // it may end without reading
      child.stdin.end(input)
    })
  const shell = async (line: string) => {
    const { code, stderr } = await run('sh', ['-c', line, disk])
    if (code !== 0) throw new Error(stderr)
  }
  // A mount of its own over the first: files that are open stay so, and whatever is opened from now on is read-only.
  const BREAK: Record<Fault, string> = {
    full: 'head -c 64m /dev/zero > "$0/filler" 2>/dev/null; true',
    'read-only': 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"',
  }
  const MEND: Record<Fault, string> = { full: 'rm "$0/filler"', 'read-only': 'umount "$0"' }
  return {
    project,
    env,
    run,
    crosshook: (args, input) => run(program, args, input),
    start: (args) => begin(program, args),
    break: () => shell(BREAK[fault]),
    mend: () => shell(MEND[fault]),
  }
}

/** A hook of the user's, or of the project. */
export function writeHook(
  { env, project }: FaultyDisk,
  name: string,
  {
    tool,
    script,
    more = '',
    scope = 'user',
  }: { tool: string; script: string; more?: string; scope?: 'user' | 'project' },
): void {
  const folder = join(
    scope === 'user' ? join(env.HOME!, '.config/agents/hooks') : join(project, '.agents/hooks'),
    name,
  )
  const file = join(folder, 'scripts/run.sh')
  mkdirSync(dirname(file), { recursive: true })
  const head = `name: ${name}\ndescription: A hook of the test.\ntrigger: before_tool\nmatcher:\n  tool: ^${tool}$`
  writeFileSync(join(folder, 'HOOK.md'), `---\n${head}\n${more}---\n`)
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

/** One guard that denies, one that fails and must hold, one that fails and need not, one whose answer is kept. */
export function writeHooks(disk: FaultyDisk): void {
  writeHook(disk, 'denies', { tool: 'Denied', script: 'echo "not here" >&2; exit 2' })
  writeHook(disk, 'holds', { tool: 'Held', script: 'exit 3', more: 'on_failure: closed\n' })
  writeHook(disk, 'lets', { tool: 'Let', script: 'exit 3' })
  writeHook(disk, 'cached', { tool: 'Cached', script: 'echo "kept no" >&2; exit 2', more: 'cache: 60\n' })
}

/** What each tool's call must come to, whatever the disk does. */
export const DECISIONS: readonly [tool: string, decision: 'allow' | 'deny', reason: string | null][] = [
  ['Denied', 'deny', 'not here'],
  ['Held', 'deny', 'hook `holds` failed after 1 attempt(s)'],
  ['Let', 'allow', null],
  ['Cached', 'deny', 'kept no'],
  ['Other', 'allow', null],
]
