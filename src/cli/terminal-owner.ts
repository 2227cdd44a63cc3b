/**
 * Whose terminal is it? Only a person types at the one that the agent itself runs in. A program that an agent has started
 * can make terminals of its own (`script`, tmux, a few lines of Python), read what is shown there and type the answer.
 */

import { readFileSync } from 'node:fs'
import { type AgentFound, processNames } from '../pipeline/agent-process.ts'
import { lookAt } from '../pipeline/starter.ts'
import type { AgentProcess } from '../spec/dialect.ts'

const MAX_ANCESTORS = 100

/** May a person sit at the terminal of process `pid`, which this agent has started? */
export function isPersonsTerminal(
  agent: AgentFound | { pid: number },
  { names, opensTerminals }: AgentProcess,
  pid = process.pid,
): boolean {
  const own = terminalOf(pid)
  if (own === undefined) return false
  if (own === terminalOf(agent.pid)) return true
  return opensTerminals === true && processNames(openerOf(pid, own)).some((name) => names.includes(name))
}

/** The words of the program that opened the terminal: the first process above that has another one, or none. */
function openerOf(pid: number, terminal: string): readonly string[] {
  let next = pid
  for (let i = 0; i < MAX_ANCESTORS; i++) {
    const parent = lookAt(next)?.parent ?? 0
    if (parent <= 0) return []
    if (terminalOf(parent) !== terminal) return lookAt(parent)?.argv ?? []
    next = parent
  }
  return []
}

/** The controlling terminal of a process; undefined when it has none or cannot be looked at. */
function terminalOf(pid: number): string | undefined {
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid)
  } catch {
    return undefined
  }
}

function fromProc(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name is in parentheses and may contain anything; the terminal is the seventh field.
  const terminal = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[4]
  return terminal === '0' ? undefined : terminal
}

function fromPs(pid: number): string | undefined {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { stdout } = spawnSync('/bin/ps', ['-o', 'tty=', '-p', String(pid)], {
    encoding: 'utf8',
    timeout: 2000,
  })
  const terminal = stdout?.trim() ?? ''
  return terminal === '' || terminal.startsWith('?') ? undefined : terminal
}
