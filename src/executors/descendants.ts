/** Descendants of a process that have left its group, as relay/family.h finds them. Linux; elsewhere none. */

import { readdirSync, readFileSync } from 'node:fs'

export interface Apart {
  pid: number
  /** Tells it from a later process with the same number. */
  started: string
}

const MAX_PROCESSES = 256

export function descendantsApart(leader: number): Apart[] {
  const found: Apart[] = []
  if (process.platform === 'linux') gather(leader, leader, found, 0)
  return found
}

export function isStill({ pid, started }: Apart): boolean {
  return look(pid)?.started === started
}

function gather(pid: number, leader: number, found: Apart[], depth: number): void {
  if (depth > 64) return
  for (const child of children(pid)) {
    const seen = look(child)
    if (seen && seen.group !== leader && found.length < MAX_PROCESSES)
      found.push({ pid: child, started: seen.started })
    gather(child, leader, found, depth + 1)
  }
}

/** Those that any of its threads has started. */
function children(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      text(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return [] // it has ended
  }
}

/** Undefined when it has ended. */
function look(pid: number): { group: number; started: string } | undefined {
  const stat = text(`/proc/${pid}/stat`)
  // Its name may hold spaces and brackets.
  const [state, , group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (group === undefined || state === 'Z' || state === 'X') return undefined
  return { group: Number(group), started: rest[16] ?? '' }
}

function text(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
