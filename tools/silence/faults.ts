/** Faults of crosshook and of the machine: how each is caused before a call, and which entry points it can affect. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, type Door, type How } from './doors.ts'
import { killed, turned } from './hooks.ts'
import {
  base,
  dist,
  endAll,
  entryFile,
  env,
  home,
  processes,
  project,
  root,
  signalAll,
  socket,
  state,
} from './place.ts'

export interface Fault {
  name: string
  /** Entry points that this fault cannot affect, and why. */
  not?: Partial<Record<Door, string>>
  /** Prepares the place where engine, daemon and calls run, before any of them is started. */
  place?(): Promise<Placed>
  /** Runs once engine and daemon answer. Its result applies to the calls. */
  breaks?(door: Door, how: Placed): How | Promise<How> | undefined
  /** Before each call. */
  each?(): void
  /** Runs after the last answer. */
  afterwards?(): void
  undo?(): void
  /** Nothing can be stored during the fault. */
  keepsNothing?: true
  /** Tools beside the guarded ones whose calls must be blocked. */
  tools?: readonly string[]
}

export interface Placed extends How {
  /** The engine and the daemon are started by the check itself, with its own variables. */
  isOwn?: boolean
  leave?(): void
}

export const children: ChildProcess[] = []

const NO_ENGINE = 'there is no engine'
const NO_RELAY = 'no relay and no socket of it'
const ONLY_AT_START = 'a daemon has read its program'
const OTHERS = { HTTP: NO_RELAY, gRPC: NO_RELAY, library: NO_RELAY }
const HOSTS: readonly Door[] = ['HTTP', 'gRPC']

export function systemFaults(): Fault[] {
  return [
    { name: 'nothing' },
    { name: 'engine killed before', breaks: quietly(endAll), not: { library: NO_ENGINE } },
    {
      name: 'engine killed while a hook runs',
      each: () => rmSync(killed, { recursive: true, force: true }),
      undo: () => mkdirSync(killed, { recursive: true }),
      // Without an engine the hook would kill a process that is not part of crosshook.
      not: { 'relay cold': NO_ENGINE, library: NO_ENGINE },
    },
    {
      name: 'engine killed after the answer',
      afterwards: endAll,
      not: { 'relay cold': NO_ENGINE, library: NO_ENGINE },
    },
    {
      name: 'engine stopped (SIGSTOP)',
      breaks: quietly(() => signalAll('SIGSTOP')),
      undo: endAll,
      not: { library: NO_ENGINE },
    },
    { name: 'socket gone', breaks: quietly(() => rmSync(socket, { force: true })), not: OTHERS },
    {
      name: 'socket replaced by a file',
      breaks: quietly(() => {
        rmSync(socket, { force: true })
        writeFileSync(socket, '')
      }),
      not: OTHERS,
    },
    impostor('impostor that answers 0', `const b = Buffer.alloc(52); b.write('XHAN\\\\x02'); s.end(b)`),
    impostor('impostor that closes', 's.destroy()'),
    impostor('impostor that says nothing', ''),
    { name: 'key gone', breaks: quietly(() => rmSync(join(state, 'state.key'), { force: true })) },
    disk('state read-only', 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"'),
    disk('state full', 'head -c 96m /dev/zero > "$0/filler" 2>/dev/null; true'),
    limit('no memory', 'ulimit -v 250000', ['--as=1000000']),
    { ...limit('no descriptors', 'ulimit -n 4', ['--nofile=4']), keepsNothing: true },
    noProcesses(),
    clock('clock forward by a day', 86_400),
    clock('clock back by a day', -86_400),
    {
      name: 'node gone',
      ...entryDamage([
        [/^program\t[^\t]*/m, 'program\t/nowhere/node'],
        [/^set\tPATH=.*$/m, 'set\tPATH=/nowhere'],
      ]),
      not: { HTTP: ONLY_AT_START, gRPC: ONLY_AT_START, library: 'it lives in a Node that runs' },
    },
    damage('main.cjs empty', 'cli/main.cjs', () => ''),
    damage('hot.cjs empty', 'cli/hot.cjs', () => ''),
    damage('hot.cjs cut in half', 'cli/hot.cjs', (text) => text.slice(0, 100_000)),
    damage('hot.cjs of another build', 'cli/hot.cjs', (text) =>
      text.replace(/[0-9a-f]{16}\n$/, '0123456789abcdef\n'),
    ),
    damage('dialect cut off', 'cli/dialects/claude-code.cjs', () => 'exports.dialect = {'),
    damage('main.cjs hangs', 'cli/main.cjs', () => 'for (;;);'),
    damage('main.cjs prints {} and ends well', 'cli/main.cjs', () => 'console.log("{}")'),
    damage('library cut in half', 'lib/index.js', (text) => text.slice(0, text.length / 2)),
    { name: 'entry file damaged', ...entryDamage([[/end\n$/, '']]), not: OTHERS },
    {
      name: 'working folder deleted',
      breaks: (door) => ({
        workDir: join(project, 'x/y'),
        ...(HOSTS.includes(door) ? {} : { before: 'mkdir -p x/y; cd x/y; rm -r ../../x' }),
      }),
    },
  ]
}

function quietly(work: () => void): () => undefined {
  return () => {
    work()
  }
}

function impostor(name: string, answer: string): Fault {
  return {
    name,
    async breaks() {
      rmSync(socket, { force: true })
      const listens = `require('net').createServer((s) => { s.on('error', () => {}); s.once('data', () => { ${answer} }) }).listen(${JSON.stringify(socket)}, () => { require('fs').chmodSync(${JSON.stringify(socket)}, 0o600); console.log() })`
      const child = spawn(process.execPath, ['-e', listens], { stdio: ['ignore', 'pipe', 'inherit'] })
      children.push(child)
      await new Promise((resolve) => child.stdout.once('data', resolve))
      return {}
    },
    undo: () => {
      children.pop()?.kill('SIGKILL')
      rmSync(socket, { force: true })
    },
    not: OTHERS,
  }
}

function damage(name: string, path: string, change: (text: string) => string): Fault {
  const file = join(dist, path)
  const isLibrary = path.startsWith('lib/')
  const notUsed = 'it does not use this file'
  let kept: Buffer
  return {
    name,
    breaks: quietly(() => {
      kept = readFileSync(file)
      writeFileSync(file, change(kept.toString()))
    }),
    undo: () => writeFileSync(file, kept),
    not: isLibrary
      ? { 'relay warm': notUsed, 'relay cold': notUsed, HTTP: notUsed, gRPC: notUsed }
      : { HTTP: ONLY_AT_START, gRPC: ONLY_AT_START, library: notUsed },
  }
}

function entryDamage(pairs: readonly [RegExp, string][]): Pick<Fault, 'breaks' | 'undo'> {
  let kept = ''
  return {
    breaks: quietly(() => {
      kept = readFileSync(entryFile, 'utf8')
      const text = pairs.reduce((now, [from, to]) => now.replace(from, to), kept)
      writeFileSync(entryFile, text, { mode: 0o600 })
    }),
    undo: () => writeFileSync(entryFile, kept, { mode: 0o600 }),
  }
}

/** The state folder on a disk of its own, in a mount namespace that ends with its holder. */
function disk(name: string, line: string): Fault {
  const enters = (pid: number) => ['nsenter', '--target', String(pid), '--mount', '--']
  return {
    name,
    keepsNothing: true,
    async place() {
      const copy = `cp -a "$0" '${base}/kept-state' && mount -t tmpfs -o size=64m,mode=700 none "$0" && cp -a '${base}/kept-state/.' "$0" && rm -r '${base}/kept-state' && echo ready && exec cat`
      const holder = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', copy, state], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      children.push(holder)
      await new Promise<void>((resolve, reject) => {
        holder.stdout.once('data', () => resolve())
        holder.once('exit', () => reject(new Error('no disk')))
      })
      const pid = holder.pid!
      return {
        enter: enters(pid),
        seen: `/proc/${pid}/root${state}`,
        leave: () => void holder.kill('SIGKILL'),
      }
    },
    breaks(_, { enter = [] }) {
      spawnSync(enter[0]!, [...enter.slice(1), 'sh', '-c', line, state], { stdio: 'inherit' })
      return undefined
    },
    not: canMount() ? {} : everywhere('no mount namespace can be made here'),
  }
}

function canMount(): boolean {
  const { status } = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', base], {
    stdio: 'ignore',
  })
  return process.getuid?.() === 0 && status === 0
}

function everywhere(why: string): Partial<Record<Door, string>> {
  return { 'relay warm': why, 'relay cold': why, HTTP: why, gRPC: why, library: why }
}

/** Resource limits of the relay and what it starts, or of a running daemon. */
function limit(name: string, before: string, options: readonly string[]): Fault {
  return {
    name,
    breaks(door) {
      if (HOSTS.includes(door)) limitRunning(options)
      return HOSTS.includes(door) ? {} : { before }
    },
  }
}

function limitRunning(options: readonly string[]): void {
  for (const { pid } of processes()) spawnSync('prlimit', ['--pid', String(pid), ...options])
}

/** A user without other processes: process limits do not apply to root. */
const OTHER_USER = 61_234

function noProcesses(): Fault {
  const enter = ['setpriv', `--reuid=${OTHER_USER}`, `--regid=${OTHER_USER}`, '--clear-groups', '--']
  const own = (user: number) => spawnSync('chown', ['-hR', `${user}:${user}`, home])
  const canSwitch =
    process.getuid?.() === 0 &&
    spawnSync(enter[0]!, [...enter.slice(1), process.execPath, '--version']).status === 0
  return {
    name: 'no processes',
    async place() {
      chmodSync(base, 0o755)
      own(OTHER_USER)
      return { enter, leave: () => void own(0) }
    },
    breaks(door) {
      limitRunning(['--nproc=1'])
      return HOSTS.includes(door) ? {} : { before: 'ulimit -u 1' }
    },
    not: canSwitch ? {} : everywhere('needs root, and a Node that other users may start'),
  }
}

/** Engine, daemon, cold path and library see a time of day that jumps while they run. */
function clock(name: string, seconds: number): Fault {
  const library = join(base, 'clock.so')
  const file = join(base, 'clock')
  if (!existsSync(library))
    spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, join(root, 'tools/silence/clock.c'), '-ldl'])
  return {
    name,
    tools: ['Kept'],
    async place() {
      writeFileSync(file, '0')
      return { isOwn: true, more: { LD_PRELOAD: library, CLOCK_FILE: file } }
    },
    async breaks(door, how) {
      const { decision, text } = await ask(door, 'Kept', how)
      if (decision !== 'allow') throw new Error(`${name}: the guard with the kept answer: ${text}`)
      writeFileSync(turned, '')
      writeFileSync(file, String(seconds))
      return {}
    },
    undo: () => rmSync(turned, { force: true }),
    not: existsSync(library) ? {} : everywhere('no C compiler'),
  }
}

/** Processes that the check itself started. */
export function startOwn(words: readonly string[], more: Record<string, string>): void {
  const main = join(dist, 'cli/main.cjs')
  children.push(
    spawn(process.execPath, [main, ...words], { env: { ...env, ...more }, cwd: project, stdio: 'ignore' }),
  )
}
