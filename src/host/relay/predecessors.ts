/**
 * A process that hangs cannot be told to make room. Each process that serves the relay leaves a file with its pid and
 * removes it when it ends or gets SIGTERM. A process whose file remains after SIGTERM hangs, and is killed.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readText } from '../../spec/read-file.ts'

const NAME = /^engine\.pid\.(\d+)$/
/** A process that does not hang handles SIGTERM within this time, even on a busy machine. */
const HEARS_WITHIN_MS = 5000
const LOOK_EVERY_MS = 50

/** Records that this process serves the relay. The returned function removes the record. */
export function announce(folder: string): () => void {
  const file = fileOf(folder, process.pid)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(file, startOf(process.pid) ?? '', { mode: 0o600 })
  } catch {
    // A full or read-only disk: if this process hangs, a person has to end it.
  }
  return () => rmSync(file, { force: true })
}

/** Tells every other process that serves the relay to end, kills those that do not react, and returns their pids. */
export async function endPredecessors(
  folder: string,
  spare: (pid: number) => boolean | Promise<boolean> = () => false,
  hearsWithin = HEARS_WITHIN_MS,
): Promise<number[]> {
  const others = serving(folder).filter((pid) => pid !== process.pid)
  const ended = await Promise.all(
    others.map(async (pid) => {
      if (await spare(pid)) return []
      signal(pid, 'SIGTERM')
      const end = Date.now() + hearsWithin
      while (serving(folder).includes(pid)) {
        if (Date.now() > end) {
          signal(pid, 'SIGKILL')
          rmSync(fileOf(folder, pid), { force: true })
          return [pid]
        }
        await sleep(LOOK_EVERY_MS)
      }
      return []
    }),
  )
  return ended.flat()
}

/** Ends every process that serves the relay and waits until they are gone: they write their caches at the end. */
export async function endServing(folder: string, hearsWithin = HEARS_WITHIN_MS): Promise<void> {
  if (!existsSync(folder)) return
  const all = serving(folder).filter((pid) => pid !== process.pid)
  for (const pid of all) signal(pid, 'SIGTERM')
  const end = Date.now() + hearsWithin
  const started = new Map(all.map((pid) => [pid, startOf(pid)]))
  const isThere = (pid: number) => started.get(pid) !== undefined && startOf(pid) === started.get(pid)
  while (all.some(isThere)) {
    if (Date.now() > end) for (const pid of all.filter(isThere)) signal(pid, 'SIGKILL')
    await sleep(LOOK_EVERY_MS)
  }
}

/** Announced processes that still run. */
function serving(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => {
    const pid = Number(NAME.exec(name)?.[1])
    if (!pid) return []
    let announced: string
    try {
      announced = readText(join(folder, name))
    } catch {
      return [] // removed meanwhile
    }
    // Pids are reused: only the process with this start time is meant.
    if (announced !== '' && startOf(pid) === announced) return [pid]
    rmSync(join(folder, name), { force: true })
    return []
  })
}

/** Start time of a process in the system's own format; undefined when it is gone. */
function startOf(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // The first field is the state, the twentieth the start in clock ticks since boot.
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}

function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function fileOf(folder: string, pid: number): string {
  return join(folder, `engine.pid.${pid}`)
}
