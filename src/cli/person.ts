/**
 * Commands that change guards are for people. From an agent's process tree they are refused, whatever their flags,
 * unless a person types a word at the terminal. Scripts and CI that no agent started are not asked.
 */

import { openSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { ReadStream, WriteStream } from 'node:tty'
import { AGENT_PROCESSES } from '../dialects/lib/gen/processes.ts'
import { agentProcess, agentProcesses, processNames } from '../pipeline/agent-process.ts'
import type { lookAt } from '../pipeline/starter.ts'
import type { AgentProcess } from '../spec/dialect.ts'
import { CrosshookError } from '../spec/errors.ts'
import { agentLeft } from './left-tree.ts'
import type { Arguments } from './options.ts'
import { isPersonsTerminal } from './terminal-owner.ts'

export async function requirePerson(args: Arguments): Promise<void> {
  const { name } = args.command
  const agent = agentThatStarted(args.env)
  if (agent === undefined || (maySomebodyType() && (await typesWord(`crosshook ${name}`, agent)))) return
  throw new CrosshookError(
    'refused',
    `\`crosshook ${name}\` was started by ${agent}, and is for people alone`,
    {
      fix: 'Nothing was changed. Run it yourself in a terminal that no agent has opened; there is no flag for this.',
    },
  )
}

/** The agent whose process tree contains or contained this process; undefined for a person or a script. */
export function agentThatStarted(env: NodeJS.ProcessEnv): string | undefined {
  const agents = AGENT_PROCESSES
  return agentAbove(agents, process.ppid) ?? agentInEnvironment(agents, env) ?? agentThatWasLeft(agents)
}

export interface NamedProcess extends AgentProcess {
  title: string
}

/** The agent among the ancestors of this process. */
export function agentAbove(
  agents: readonly NamedProcess[],
  pid: number,
  look?: typeof lookAt,
): string | undefined {
  const found = agentProcess(allNames(agents), pid, look)
  return found && rowOf(agents, processNames(found.argv)).title
}

function agentThatWasLeft(agents: readonly NamedProcess[]): string | undefined {
  const left = agentLeft(allNames(agents))
  return left && rowOf(agents, [left.name]).title
}

/** A word counts only at a terminal that none of the agents above, or of those that were left, has made. */
function maySomebodyType(): boolean {
  const agents = AGENT_PROCESSES
  const names = allNames(agents)
  const above = [...agentProcesses(names, process.ppid)]
  if (above.length > 0)
    return above.every((found) => isPersonsTerminal(found, rowOf(agents, processNames(found.argv))))
  const left = agentLeft(names)
  return left === undefined || isPersonsTerminal(left, rowOf(agents, [left.name]))
}

function allNames(agents: readonly NamedProcess[]): string[] {
  return agents.flatMap(({ names }) => names)
}

function rowOf(agents: readonly NamedProcess[], names: readonly string[]): NamedProcess {
  return agents.find((each) => each.names.some((name) => names.includes(name)))!
}

/** Hints: agents' own variables and those that crosshook gives to hooks. */
function agentInEnvironment(agents: readonly NamedProcess[], env: NodeJS.ProcessEnv): string | undefined {
  const agent = agents.find(({ marks }) => marks.some((mark) => env[mark]))
  if (agent) return agent.title
  return Number(env.CROSSHOOK_DEPTH ?? 0) > 0 ? 'a hook' : undefined
}

/** A random word, so that input piped into a terminal in advance does not count as a person. */
async function typesWord(command: string, agent: string): Promise<boolean> {
  const { randomInt } = process.getBuiltinModule('node:crypto')
  const word = Array.from({ length: 5 }, () => 'abcdefghjkmnpqrstuvwxyz'[randomInt(23)]).join('')
  let input: ReadStream | undefined
  try {
    input = new ReadStream(openSync('/dev/tty', 'r'))
    const output = new WriteStream(openSync('/dev/tty', 'w'))
    const lines = createInterface({ input, output })
    try {
      const answer = await lines.question(
        `${agent} wants to run \`${command}\`. If you want it too, type ${word}: `,
        { signal: AbortSignal.timeout(TIME_TO_TYPE_MS) },
      )
      return answer.trim() === word
    } finally {
      lines.close()
      output.destroy()
    }
  } catch {
    return false // no terminal, or nobody typed in time
  } finally {
    input?.destroy()
  }
}

const TIME_TO_TYPE_MS = 60_000
