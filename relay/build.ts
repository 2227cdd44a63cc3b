/** Builds the relay for this machine with its C compiler, if it has one. Without a relay the cold path is used. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { coldFlags } from '../src/host/relay/cold-flags.ts'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..')

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

/** The program's files. */
export const SOURCES = [
  'relay.c',
  'engine.c',
  'cold.c',
  'program.c',
  'refuse.c',
  'spawner.c',
  'keeper.c',
].map((name) => join(here, name))
/** What runs before the C library has begun, where that is built in; elsewhere it says that nothing was done. */
export const EARLY_SOURCE = join(here, 'early.c')
const EARLY_ALONE = join(here, 'early-alone.c')

/** The same where there are pipes instead of sockets; programs of hooks are started by the engine itself there. */
export const WINDOWS_SOURCES = [join(here, 'windows.c'), '-ladvapi32']

/** Confines other programs; Linux only, by itself and without any library. */
export const CONFINE_SOURCES = [join(here, 'confine.c')]

/** The door of a managed installation; Linux only. */
export const GATE_SOURCES = ['gate.c', 'spawner.c'].map((name) => join(here, name))

export const FLAGS = [
  ...['-std=c11', '-O2', '-Wall', '-Wextra', '-fstack-protector-strong', '-D_FORTIFY_SOURCE=2'],
  `-DCROSSHOOK_VERSION="${version}"`,
]

/** Into the folder `out`; says so when there is no relay now. */
export function buildRelay(out: string): void {
  if (process.platform === 'win32') return
  const said = buildHere(out)
  if (said !== undefined) console.warn(said)
}

/** A sentence when there is no relay now. */
function buildHere(out: string): string | undefined {
  mkdirSync(out, { recursive: true })
  const file = join(out, 'crosshook-relay')
  const complaint = compileRelay(file)
  if (complaint !== undefined)
    return `no relay was built, so agents will use the cold path: ${complaint.trim()}`
  if (process.platform === 'linux') {
    const missing = compileConfine(join(out, 'crosshook-confine'))
    if (missing !== undefined) return `hooks cannot be confined here: ${missing.trim()}`
    const closed = compileStatic(join(out, 'crosshook-gate'), GATE_SOURCES)
    if (closed !== undefined) return `there can be no managed installation here: ${closed.trim()}`
  }
  writeFileSync(
    `${file}.cold`,
    `${process.execPath}\n${join(root, 'dist/cli/main.cjs')}\n${coldFlags(process.execPath).join('\t')}\n`,
  )
  return undefined
}

/**
 * What the compiler complains of, if anything. A static program starts in half the time of one that looks for
 * libraries; one that answers before the C library has begun is quicker still (bench/early.ts has the figures).
 */
export function compileRelay(file: string, flags: readonly string[] = []): string | undefined {
  const compile = (args: readonly string[]) => run([...FLAGS, ...flags, ...args])
  if (
    hasEarly(process.platform, process.arch) &&
    (compileEarly(file, compile, GCC_ONLY) === undefined || compileEarly(file, compile) === undefined)
  )
    return undefined
  const common = [...SOURCES, EARLY_SOURCE, '-s', '-o', file]
  return compile(['-static', ...common]) === undefined ? undefined : compile(common)
}

export function compileConfine(file: string): string | undefined {
  return compileStatic(file, CONFINE_SOURCES)
}

function compileStatic(file: string, sources: readonly string[]): string | undefined {
  const args = [...FLAGS, ...sources, '-s', '-o', file]
  return run(['-static', ...args]) === undefined ? undefined : run(args)
}

/** See early.c. */
export function hasEarly(os: string, cpu: string): boolean {
  return os === 'linux' && (cpu === 'x64' || cpu === 'arm64')
}

export function compileEarly(
  file: string,
  compile: (args: readonly string[]) => string | undefined,
  more: readonly string[] = [],
): string | undefined {
  const object = `${file}.early.o`
  try {
    return (
      compile([...EARLY, ...more, '-c', EARLY_SOURCE, '-o', object]) ??
      // Linked by itself: nothing of the C library may be missed.
      compile([object, EARLY_ALONE, ...EARLY, ...ENTRY, '-nostdlib', '-o', file]) ??
      compile([...SOURCES, object, ...ENTRY, '-s', '-o', file])
    )
  } finally {
    rmSync(object, { force: true })
  }
}

const EARLY = ['-DEARLY', '-ffreestanding', '-fno-stack-protector', '-U_FORTIFY_SOURCE']
/** Or GCC turns loops into calls of the C library; clang does not when it is told that there is none. */
const GCC_ONLY = ['-fno-tree-loop-distribute-patterns']
const ENTRY = ['-static', '-no-pie', '-Wl,-e,early_start']

function run(args: readonly string[]): string | undefined {
  const { status, stderr, error } = spawnSync(process.env.CC || 'cc', args, { encoding: 'utf8' })
  return status === 0 ? undefined : (error?.message ?? stderr)
}
