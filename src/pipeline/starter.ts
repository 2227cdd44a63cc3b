/** The program that started us, looking through shells and the relay, from the kernel's information about processes. */

import { readFileSync } from 'node:fs'

export interface Process {
  parent: number
  argv: string[]
}

/** Programs that only pass the call on. */
const BETWEEN = /^(?:(?:ba|da|z|k|a)?sh|fish|busybox|env|crosshook-relay)$/
const MAX_PROCESSES_BETWEEN = 6
const INTERPRETERS = /^(?:node|bun|deno|electron|python[\d.]*)$/
/** Length of `@scope/name/dist/index.js`; a longer part of the path may be a folder of anybody's choice. */
const WORDS_OF_SCRIPT = 4

/** Its name or, for an interpreter, the words of its script's path; empty when unknown. */
export function starterOf(pid: number | undefined, look = lookAt): readonly string[] {
  let next = pid
  for (let i = 0; i < MAX_PROCESSES_BETWEEN && next !== undefined && next > 1; i++) {
    const found = look(next)
    if (!found) return []
    const [program = '', ...args] = found.argv
    const name = withoutEnding(lastWord(program).replace(/^-/, ''))
    if (!BETWEEN.test(name) && !isEntryLink(program)) {
      const script = INTERPRETERS.test(name) ? (args.find((arg) => !arg.startsWith('-')) ?? '') : ''
      return [name, ...script.split('/').slice(-WORDS_OF_SCRIPT).map(withoutEnding)]
    }
    next = found.parent
  }
  return []
}

/** A link to the relay: see install/entry-file.ts. */
function isEntryLink(program: string): boolean {
  return program.includes('/crosshook/install/entries/')
}

function lastWord(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function withoutEnding(name: string): string {
  return name.replace(/\.(?:exe|c?js|mjs|sh|AppImage)$/, '')
}

/** The kernel's information about a process; undefined when it has ended or cannot be read. */
export function lookAt(pid: number): Process | undefined {
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid)
  } catch {
    return undefined // ended or not readable
  }
}

function fromProc(pid: number): Process {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name is in parentheses and may contain anything.
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  return { parent, argv: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0') }
}

function fromPs(pid: number): Process | undefined {
  if (process.platform === 'win32') return undefined
  // Loading it costs a cold start at least 4 ms, and Linux does not need it.
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { stdout, status } = spawnSync('/bin/ps', ['-o', 'ppid=,command=', '-p', String(pid)], {
    encoding: 'utf8',
    timeout: 2000,
  })
  const found = /^\s*(\d+)\s+(.*)$/m.exec(stdout ?? '')
  return status === 0 && found ? { parent: Number(found[1]), argv: found[2]!.split(' ') } : undefined
}
