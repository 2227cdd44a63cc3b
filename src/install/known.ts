/** The agents whose settings crosshook can write, and which of them are on this machine. */

import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { paths } from '../config/paths.ts'
import { DIALECTS, loadDialect } from '../dialects/list.ts'
import type { AgentSide, Dialect } from '../spec/dialect.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Installer, Place } from '../spec/installer.ts'

export interface KnownAgent {
  id: string
  title: string
  dialect: Dialect
  agent: AgentSide
  installer: Installer
}

/** How to tell that an agent is on this machine. */
export interface Presence {
  programs: string[]
  folders: string[]
}

/** Only those that are wanted are loaded. */
export async function knownAgents(isWanted: (id: string) => boolean = () => true): Promise<KnownAgent[]> {
  const ids = Object.keys(DIALECTS).filter(isWanted)
  const all = await Promise.all(ids.map(async (id) => toKnown(await loadDialect(id))))
  return all.filter((known) => known !== undefined)
}

export async function agentNamed(id: string): Promise<KnownAgent> {
  const dialect = await loadDialect(id)
  const known = await toKnown(dialect)
  if (known) return known
  throw new CrosshookError(
    'unknown_agent',
    dialect.agent
      ? `${dialect.title} calls hooks, but crosshook does not know how to write its settings`
      : `${dialect.title} is a hook format, not an agent that calls hooks`,
  )
}

export function presence({ installer }: KnownAgent, { home, env }: Place): Presence {
  const { programs, folders } = installer.detect
  return {
    programs: programs.flatMap((name) => findProgram(name, env) ?? []),
    folders: folders.map((name) => join(home, name)).filter((path) => existsSync(path)),
  }
}

export function isPresent({ programs, folders }: Presence): boolean {
  return programs.length + folders.length > 0
}

export function placeOf(env: NodeJS.ProcessEnv, project: string, level: Place['level']): Place {
  return { home: paths(env).home, project, env, level }
}

export function findProgram(name: string, env: NodeJS.ProcessEnv): string | undefined {
  if (name.includes('/')) return isProgram(name) ? name : undefined
  for (const folder of (env.PATH ?? '').split(delimiter))
    if (folder !== '' && isProgram(join(folder, name))) return join(folder, name)
  return undefined
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false // missing or not accessible
  }
}

async function toKnown(dialect: Dialect): Promise<KnownAgent | undefined> {
  const { id, title, agent } = dialect
  if (!agent?.install) return undefined
  return { id, title, dialect, agent, installer: await agent.install() }
}
