/**
 * A process may leave the tree of the agent that started it: when the process between them ends, the kernel reparents
 * it to the first process. It cannot change its user, its control group, and that it is younger than the agent.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { processNames } from '../pipeline/agent-process.ts'

interface Seen {
  pid: number
  parent: number
  session: number
  /** Number of its terminal; 0 for none. */
  terminal: number
  /** Clock ticks since boot. */
  started: number
}

/** A running agent that may have started this process and is no longer above it: its name, its process. Linux only. */
export function agentLeft(
  names: readonly string[],
  pid = process.pid,
): { name: string; pid: number } | undefined {
  if (process.platform !== 'linux') return undefined
  const top = topOf(pid)
  if (!top) return undefined
  const mine = { user: userOf(top.pid), group: groupOf(top.pid) }
  for (const entry of readdirSync('/proc')) {
    const other = /^\d+$/.test(entry) ? seen(Number(entry)) : undefined
    if (!other || other.started > top.started || userOf(other.pid) !== mine.user) continue
    if (top.terminal !== 0 && top.terminal !== other.terminal) continue
    const name = processNames(argvOf(other.pid)).find((each) => names.includes(each))
    if (name !== undefined && groupOf(other.pid) === mine.group) return { name, pid: other.pid }
  }
  return undefined
}

/** The topmost process of the tree, if its parent is one that adopts orphans. */
function topOf(pid: number): Seen | undefined {
  let found = seen(pid)
  while (found && found.parent > 1 && !takesIn(found.parent)) found = seen(found.parent)
  // A process without a parent came from outside: `docker exec`.
  if (!found || found.parent === 0) return undefined
  // A script that is the first process of a container has children in its own session.
  return seen(found.parent)?.session === found.session ? undefined : found
}

function takesIn(pid: number): boolean {
  return processNames(argvOf(pid))[0] === 'systemd'
}

function seen(pid: number): Seen | undefined {
  const stat = quietly(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  if (stat === undefined) return undefined
  // The name is in parentheses and may contain anything; the rest starts with the third field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return {
    pid,
    parent: Number(fields[1]),
    session: Number(fields[3]),
    terminal: Number(fields[4]),
    started: Number(fields[19]),
  }
}

function argvOf(pid: number): string[] {
  return quietly(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.split('\0') ?? []
}

function userOf(pid: number): number | undefined {
  return quietly(() => statSync(`/proc/${pid}`).uid)
}

function groupOf(pid: number): string | undefined {
  return quietly(() => readFileSync(`/proc/${pid}/cgroup`, 'utf8'))
}

/** Undefined when the process has ended or is not accessible. */
function quietly<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
