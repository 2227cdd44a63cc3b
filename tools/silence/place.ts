/** A home folder of the check's own, with crosshook installed in it, and the processes that belong to it. */

import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
export const base = realpathSync(mkdtempSync(join(tmpdir(), 'xh-sil-')))
export const home = join(base, 'h')
export const project = join(home, 'project')
export const dist = join(home, 'crosshook/dist')
export const state = join(home, '.local/state/crosshook')
export const socket = join(state, 'engine.sock')
export const entryFile = join(state, 'install/entries/claude-code.entry')
/** Where files left behind by hooks or crosshook would be. */
export const temporary = join(home, 'tmp')
export const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home, TMPDIR: temporary }
/** No answer may take longer; agents wait for a minute. */
export const LIMIT_MS = 45_000

export function makePlace(): void {
  for (const folder of [project, temporary]) mkdirSync(folder, { recursive: true })
  for (const part of ['cli', 'shared', 'lib', 'relay'])
    cpSync(join(root, 'dist', part), join(dist, part), { recursive: true })
}

/** `crosshook …`, if need be behind other words, such as `nsenter …`. */
export function crosshook(
  args: readonly string[],
  { enter = [] as readonly string[], more = {} } = {},
): string {
  const words = [...enter, process.execPath, join(dist, 'cli/main.cjs'), ...args]
  const { status, stdout, stderr } = spawnSync(words[0]!, words.slice(1), {
    env: { ...env, ...more },
    cwd: project,
    encoding: 'utf8',
    timeout: LIMIT_MS,
    maxBuffer: 1e9,
  })
  if (status !== 0) throw new Error(`crosshook ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

/** Processes of this place: crosshook's and those of hooks. */
export function processes(): { pid: number; words: string }[] {
  const { stdout } = spawnSync(
    '/bin/sh',
    [
      '-c',
      `for p in /proc/[0-9]*; do grep -qz '^HOME=${home}$' $p/environ 2>/dev/null && echo "\${p#/proc/} $(tr '\\0' ' ' < $p/cmdline)"; done`,
    ],
    { encoding: 'utf8' },
  )
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ pid: Number(line.split(' ')[0]), words: line.slice(line.indexOf(' ') + 1) }))
}

export function signalAll(signal: NodeJS.Signals): void {
  for (const { pid } of processes())
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
}

export function endAll(): void {
  signalAll('SIGKILL')
  for (const name of ['engine.sock', 'engine.starting', 'daemon.json'])
    rmSync(join(state, name), { force: true })
}

/** Programs of hooks that still run, files that crosshook or its hooks have forgotten. */
export function leftBehind(): string[] {
  const running = processes().filter(({ words }) => /^sleep|run\.sh/.test(words))
  // Where hooks keep their own state while the state folder cannot be written: one folder of the user's, used again.
  rmSync(join(temporary, `crosshook-state-${statSync(home).uid}`), { recursive: true, force: true })
  const files = existsSync(temporary) ? readdirSync(temporary) : []
  const half = readdirSync(state, { recursive: true }).filter((name) => String(name).includes('.tmp-'))
  return [...running.map(({ words }) => words), ...files, ...half.map(String)]
}

export async function until(isTrue: () => boolean, what: string): Promise<void> {
  for (let i = 0; i < 1500 && !isTrue(); i++) await new Promise((resolve) => setTimeout(resolve, 10))
  if (!isTrue()) throw new Error(`waited in vain for ${what}`)
}
