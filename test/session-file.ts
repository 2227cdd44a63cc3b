/**
 * A session of the command line as a text file, read and run.
 *
 *     # a title, and other remarks
 *     # fresh home                         nothing in it, not even what a first call of the program leaves
 *     == .agents/hooks/guard/HOOK.md       a file up to the next line that begins with == or $
 *     == ~/bin/tool (executable)           below the scratch home folder
 *     $ crosshook list                     a shell line, run in the scratch project; lines with "> " continue it
 *     expected stdout; … is any text, and a line of … alone any lines
 *     ! expected stderr
 *     [exit 1]                             0 unless said otherwise
 *
 * In what is printed, the project is $PROJECT and the home folder ~. No output expected means no output.
 */

import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMPILE_CACHE, calledBefore } from './compile-cache.ts'

export interface Command {
  line: string
  stdout: string[]
  stderr: string[]
  exit: number
  /** In the session's file, from 1. */
  at: number
}

export type Step = { file: string; executable: boolean; text: string } | Command

export interface Place {
  project: string
  home: string
  env: NodeJS.ProcessEnv
  remove(): void
}

const root = fileURLToPath(new URL('..', import.meta.url))
/** Another build of the program can be tried with CROSSHOOK_PROGRAM. */
const program = process.env.CROSSHOOK_PROGRAM ?? join(root, 'bin/crosshook')

export function readSession(text: string, firstLine = 1): Step[] {
  const steps: Step[] = []
  let file: { file: string; executable: boolean; lines: string[] } | undefined
  let command: Command | undefined
  const endFile = () => {
    if (!file) return
    while (file.lines.at(-1) === '') file.lines.pop()
    steps.push({ file: file.file, executable: file.executable, text: `${file.lines.join('\n')}\n` })
    file = undefined
  }
  for (const [index, line] of text.split('\n').entries()) {
    const heading = /^== (\S+)( \(executable\))?$/.exec(line)
    if (heading) {
      endFile()
      command = undefined
      file = { file: heading[1]!, executable: heading[2] !== undefined, lines: [] }
    } else if (line.startsWith('$ ')) {
      endFile()
      command = { line: line.slice(2), stdout: [], stderr: [], exit: 0, at: firstLine + index }
      steps.push(command)
    } else if (file) file.lines.push(line)
    else if (!command) {
      if (line !== '' && !line.startsWith('#')) throw new Error(`line ${firstLine + index}: not understood`)
    } else if (line.startsWith('> ') && command.stdout.length === 0) command.line += `\n${line.slice(2)}`
    else if (line.startsWith('! ')) command.stderr.push(line.slice(2))
    else if (/^\[exit \d+\]$/.test(line)) command.exit = Number(line.slice(6, -1))
    else command.stdout.push(line)
  }
  endFile()
  // Blank lines between two commands belong to neither.
  for (const step of steps) if ('line' in step) while (step.stdout.at(-1) === '') step.stdout.pop()
  return steps
}

/** Unless it is fresh, the program has been called in its home before. */
export function makePlace({ isFresh = false } = {}): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'xs-')))
  const [project, home, bin] = ['project', 'home', 'bin'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [project, home, bin]) mkdirSync(folder)
  symlinkSync(program, join(bin, 'crosshook'))
  const env = {
    PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: home,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    CROSSHOOK_MANAGED_DIR: join(base, 'managed'),
    CROSSHOOK_NO_DAEMON: '1',
  }
  return {
    project,
    home,
    env: isFresh ? { ...env, ...COMPILE_CACHE } : calledBefore(env),
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 10 }),
  }
}

export function writeStep(step: Extract<Step, { file: string }>, { project, home }: Place): void {
  const path = step.file.startsWith('~/') ? join(home, step.file.slice(2)) : join(project, step.file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, step.text)
  if (step.executable) chmodSync(path, 0o755)
}

export interface Printed {
  stdout: string[]
  stderr: string[]
  exit: number | null
}

/** What was printed, with the scratch folders under their names. */
export function runCommand({ line }: Command, { project, home, env }: Place): Promise<Printed> {
  const { promise, resolve, reject } = Promise.withResolvers<Printed>()
  const child = spawn('bash', ['-c', line], { cwd: project, env, timeout: 100_000 })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdin.on('error', () => {}).end() // a command need not read it
  const tame = (text: string) => {
    const lines = text.replaceAll(project, '$PROJECT').replaceAll(home, '~').split('\n')
    while (lines.at(-1)?.trim() === '') lines.pop()
    return lines.map((each) => each.trimEnd())
  }
  child.on('error', reject)
  child.on('close', (exit) => resolve({ stdout: tame(stdout), stderr: tame(stderr), exit }))
  return promise
}

/** Null when the lines are as expected, else the first that is not. */
export function mismatch(expected: readonly string[], got: readonly string[]): string | null {
  const at = furthest(expected, got)
  return at === null
    ? null
    : `expected: ${expected[at.expected] ?? '(nothing more)'}\ngot:      ${got[at.got] ?? '(nothing more)'}`
}

function furthest(
  expected: readonly string[],
  got: readonly string[],
  e = 0,
  g = 0,
): { expected: number; got: number } | null {
  for (; e < expected.length; e++, g++) {
    if (expected[e] === '…') {
      let last: { expected: number; got: number } | null = { expected: e + 1, got: g }
      for (let from = g; from <= got.length && last !== null; from++)
        last = furthest(expected, got, e + 1, from)
      return last
    }
    if (g >= got.length || !lineMatches(expected[e]!, got[g]!)) return { expected: e, got: g }
  }
  return g === got.length ? null : { expected: e, got: g }
}

function lineMatches(expected: string, got: string): boolean {
  const parts = expected
    .trimEnd()
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(got)
}

export function hasProgram(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
