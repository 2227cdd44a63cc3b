/**
 * Commands that change the guards are for people. One that comes from an agent's process tree is refused, whatever its
 * flags, unless a person types a word at the terminal. Scripts and CI, which no agent started, are not asked.
 */

import { openSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { ReadStream, WriteStream } from 'node:tty'
import { DIALECTS, loadDialect } from '../dialects/list.ts'
import { lookAt } from '../pipeline/starter.ts'
import type { AgentProcess } from '../spec/dialect.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Arguments } from './options.ts'

export async function requirePerson(args: Arguments): Promise<void> {
  const { name } = args.command
  const agents = await agentProcesses()
  const agent = agentAbove(agents, process.ppid) ?? agentInEnvironment(agents, args.env)
  if (agent === undefined || (await typesWord(`crosshook ${name}`, agent))) return
  throw new CrosshookError(
    'refused',
    `\`crosshook ${name}\` was started by ${agent}, and is for people alone`,
    {
      fix: 'Nothing was changed. Run it yourself in a terminal that no agent has opened; there is no flag for this.',
    },
  )
}

export interface NamedProcess extends AgentProcess {
  title: string
}

async function agentProcesses(): Promise<NamedProcess[]> {
  const all = await Promise.all(Object.keys(DIALECTS).map(loadDialect))
  return all.flatMap(({ title, agent }) => (agent ? [{ title, ...agent.process }] : []))
}

/** More are never between a shell and the first process. */
const MOST_ANCESTORS = 100

/** The agent among the processes that lead to this one. */
export function agentAbove(
  agents: readonly NamedProcess[],
  pid: number,
  look: typeof lookAt = lookAt,
): string | undefined {
  for (let next = pid, i = 0; next > 0 && i < MOST_ANCESTORS; i++) {
    const found = look(next)
    if (!found) return undefined
    const names = namesOf(found.argv)
    const agent = agents.find((each) => each.names.some((name) => names.includes(name)))
    if (agent) return agent.title
    next = found.parent
  }
  return undefined
}

const INTERPRETERS =
  /^(?:node|nodejs|bun|deno|electron|python[\d.]*|ruby|perl|(?:ba|da|z|k|a)?sh|busybox|env|npx|uv|uvx)$/i

/** Of the program and, where it runs a script, of that and of the package in which it lies. */
function namesOf([program = '', ...args]: readonly string[]): string[] {
  const name = nameOf(program)
  const script = INTERPRETERS.test(name) ? args.find((arg) => !arg.startsWith('-')) : undefined
  const packages = [program, script ?? ''].flatMap(
    (path) => /.*\/node_modules\/(?:@[^/]+\/)?([^/]+)\//.exec(path)?.[1] ?? [],
  )
  return [name, ...(script === undefined ? [] : [nameOf(script)]), ...packages]
}

function nameOf(path: string): string {
  return path
    .slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
    .replace(/^-/, '')
    .replace(/\.(?:exe|c?js|mjs|ts|py|sh|AppImage)$/, '')
    .toLowerCase()
}

/** Hints, and the variables that crosshook itself gives to hooks. */
function agentInEnvironment(agents: readonly NamedProcess[], env: NodeJS.ProcessEnv): string | undefined {
  const agent = agents.find(({ marks }) => marks.some((mark) => env[mark]))
  if (agent) return agent.title
  return Number(env.CROSSHOOK_DEPTH ?? 0) > 0 ? 'a hook' : undefined
}

/** A word that nobody knows before it is shown: what was piped into a terminal in advance is not a person. */
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
        { signal: AbortSignal.timeout(TIME_TO_TYPE) },
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

/** In milliseconds. */
const TIME_TO_TYPE = 60_000
