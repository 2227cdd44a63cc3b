/** Finds an agent's process among our ancestors, from the kernel's information and not from the environment. */

import { lookAt, type Process } from './starter.ts'

/** Far above the usual number of processes between a shell and the first process. */
const MAX_ANCESTORS = 100

export interface AgentFound extends Process {
  pid: number
}

export function agentProcess(
  names: readonly string[],
  pid: number,
  look: typeof lookAt = lookAt,
): AgentFound | undefined {
  return agentProcesses(names, pid, look).next().value ?? undefined
}

/** All of them, the nearest first. */
export function* agentProcesses(
  names: readonly string[],
  pid: number,
  look: typeof lookAt = lookAt,
): Generator<AgentFound, void> {
  for (let next = pid, i = 0; next > 0 && i < MAX_ANCESTORS; i++) {
    const found = look(next)
    if (!found) return
    if (processNames(found.argv).some((name) => names.includes(name))) yield { ...found, pid: next }
    next = found.parent
  }
}

const INTERPRETERS =
  /^(?:node|nodejs|bun|deno|electron|python[\d.]*|ruby|perl|(?:ba|da|z|k|a)?sh|busybox|env|npx|uv|uvx)$/i

/** Names of the program and, if it runs a script, of the script and its package. */
export function processNames([program = '', ...args]: readonly string[]): string[] {
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
