/** Finds the program in a hook's folder, and what starts it when neither its mode nor its first line says so. */

import { accessSync, closeSync, constants, readSync, type Stats, statSync } from 'node:fs'
import { sep } from 'node:path'
import { messageOf } from '../spec/errors.ts'
import { type Failure, failure, isFailure } from '../spec/outcome.ts'
import { openPlain } from '../spec/read-file.ts'
import type { Program } from './process.ts'

const ENTRY_POINTS = [
  { name: 'run', interpreter: 'sh' },
  { name: 'run.sh', interpreter: 'bash' },
  { name: 'run.py', interpreter: 'python3' },
] as const

/** Checked at each call, so that an edited script counts for the next event. */
export function findEntryPoint(folder: string): Program | Failure {
  for (const entry of ENTRY_POINTS) {
    const file = `${folder}${sep}scripts${sep}${entry.name}`
    try {
      const found = statSync(file, { throwIfNoEntry: false })
      if (found?.isFile()) return known(file, found) ?? remember(file, found, programFor(file, entry))
    } catch (thrown) {
      return failure(`Cannot use the entry point ${file}: ${messageOf(thrown)}`, { retryable: false })
    }
  }
  return failure(
    `No entry point found (scripts/run, scripts/run.sh, or scripts/run.py) in ${folder}: add one of them`,
    { retryable: false },
  )
}

/** How a file is started, cached while it is the same file. */
const programs = new Map<string, { mark: string; program: Program }>()
const MAX_CACHED = 1000
/** A recently changed file may change again without a visible difference: file system clocks are coarse. */
export const SETTLED_MS = 2000

function known(file: string, found: Stats): Program | undefined {
  const kept = programs.get(file)
  return kept?.mark === markOf(found) ? kept.program : undefined
}

function remember(file: string, found: Stats, program: Program | Failure): Program | Failure {
  if (isFailure(program) || Date.now() - found.ctimeMs < SETTLED_MS) return program
  if (programs.size >= MAX_CACHED) programs.clear()
  programs.set(file, { mark: markOf(found), program })
  return program
}

function markOf({ dev, ino, size, mode, uid, gid, mtimeMs, ctimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${mode} ${uid} ${gid} ${mtimeMs} ${ctimeMs}`
}

function programFor(file: string, entry: (typeof ENTRY_POINTS)[number]): Program | Failure {
  const executable = isExecutable(file)
  const head = readHead(file, executable)
  const named = head === undefined ? undefined : namedInterpreter(head)
  if (named && executable) return { file: named[0]!, args: [...named.slice(1), file] }
  // The C library would run a file without a first line by sh, whatever its name.
  if (executable && (head === undefined || head.startsWith('#!') || head.includes('\0'))) {
    return { file, args: [] }
  }
  if (executable || entry.name !== 'run') return { file: entry.interpreter, args: [file] }
  return (
    fromShebang(file, head ?? '') ??
    failure(`${file} is not executable and has no #! line: run chmod +x on it`, { retryable: false })
  )
}

/** `#!/usr/bin/env python3` leaves the choice to PATH, so it is looked up like other names. */
function namedInterpreter(head: string): string[] | undefined {
  const words = /^#![ \t]*\/\S*\/env[ \t]+(?:-S[ \t]*)?([^\n]+?)[ \t\r]*(?:\n|$)/
    .exec(head)?.[1]
    ?.split(/[ \t]+/)
  return words && /^[\w.+-]+$/.test(words[0]!) && !words[0]!.startsWith('-') ? words : undefined
}

/** As the kernel parses it: the interpreter, then the rest of the line as one argument. */
function fromShebang(file: string, head: string): Program | undefined {
  const match = /^#![ \t]*([^\s]+)(?:[ \t]+([^\n]*?))?[ \t\r]*(?:\n|$)/.exec(head)
  if (!match?.[1]) return undefined
  return { file: match[1], args: match[2] ? [match[2], file] : [file] }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false // the only information that access gives
  }
}

/** The first bytes; undefined for a program that may be executed but not read. */
function readHead(file: string, executable: boolean): string | undefined {
  let descriptor: number
  try {
    descriptor = openPlain(file)
  } catch (thrown) {
    if (executable) return undefined
    throw thrown
  }
  try {
    const bytes = Buffer.alloc(256)
    return bytes.toString('latin1', 0, readSync(descriptor, bytes))
  } finally {
    closeSync(descriptor)
  }
}
