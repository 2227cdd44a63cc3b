/** Which program is at the other end of a local connection, and whether an agent started it. Linux only. */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { DIALECTS, loadDialect } from '../dialects/list.ts'
import { agentProcess, processNames } from '../pipeline/agent-process.ts'
import { CrosshookError } from '../spec/errors.ts'

export function forPeopleAlone(agent: string): CrosshookError {
  return new CrosshookError(
    'refused',
    `this comes from a program that ${agent} has started, and is for people alone`,
    {
      fix: 'Nothing was changed. Use a browser and a terminal that no agent has opened.',
    },
  )
}

/** The ports of both ends of a connection. */
export interface Ends {
  remotePort?: number | undefined
  localPort?: number | undefined
}

/** The agent's title; undefined when there is none, or when it cannot be determined. */
export async function agentBehind({ remotePort, localPort }: Ends): Promise<string | undefined> {
  if (process.platform !== 'linux' || remotePort === undefined || localPort === undefined) return undefined
  const pid = ownerOf(remotePort, localPort)
  if (pid === undefined) return undefined
  const dialects = await Promise.all(Object.keys(DIALECTS).map(loadDialect))
  const agents = dialects.flatMap(({ title, agent }) =>
    agent ? [{ title, names: agent.process.names }] : [],
  )
  const found = agentProcess(
    agents.flatMap(({ names }) => names),
    pid,
  )
  if (!found) return undefined
  const names = processNames(found.argv)
  return agents.find((agent) => agent.names.some((name) => names.includes(name)))?.title
}

/** The process whose socket has this local and this remote port. */
function ownerOf(local: number, remote: number): number | undefined {
  const inode = ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => inodeIn(file, local, remote)).find(Boolean)
  if (inode === undefined) return undefined
  const link = `socket:[${inode}]`
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => holds(pid, link))
}

function inodeIn(file: string, local: number, remote: number): string | undefined {
  const [mine, other] = [local, remote].map((port) => port.toString(16).toUpperCase().padStart(4, '0'))
  try {
    for (const line of readFileSync(file, 'utf8').split('\n').slice(1)) {
      const [, from = '', to = '', , , , , , , inode] = line.trim().split(/\s+/)
      if (from.endsWith(`:${mine}`) && to.endsWith(`:${other}`)) return inode
    }
  } catch {
    // this system has no such table
  }
  return undefined
}

function holds(pid: number, link: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`) === link
      } catch {
        return false // closed meanwhile
      }
    })
  } catch {
    return false // ended meanwhile, or of another user
  }
}
