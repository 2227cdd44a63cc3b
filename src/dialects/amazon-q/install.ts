/** Our entries in agent files: one per trigger, in each agent that the person has made. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandLine, Installer, Place, SettingsFile } from '../../spec/installer.ts'
import { wanted } from '../lib/entry-events.ts'
import { setNew } from '../lib/json-settings.ts'
import { addEntries, findEntries, removeEntries } from '../lib/nested-hooks.ts'
import { AGENT_TRIGGERS, ID } from './events.ts'

/** Long enough for all hooks that crosshook runs; each of them has its own limit. */
const TIMEOUT_MS = 600_000
/** Context beyond this is cut by the agent. */
const MAX_OUTPUT_BYTES = 100_000
/** The agent that is created where there is none. */
const OWN_AGENT = 'crosshook'

const SHAPE = { agent: ID, flat: true }

export const installer: Installer = {
  detect: { programs: ['q', 'kiro-cli'], folders: ['.aws/amazonq', '.kiro'] },
  files: (place) => folders(place).flatMap(agentFiles),
}

function folders({ home, project, env, level }: Place): string[] {
  if (level === 'project') return [join(project, '.amazonq', 'cli-agents'), join(project, '.kiro', 'agents')]
  return [join(home, '.aws', 'amazonq', 'cli-agents'), join(env.KIRO_HOME || join(home, '.kiro'), 'agents')]
}

/** Hooks belong to agents: those that are there, or one of our own in a folder that has none. */
function agentFiles(folder: string): SettingsFile[] {
  const names = listFolder(folder)
  if (names === undefined) return []
  const agents = names.filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort()
  return (agents.length > 0 ? agents : [`${OWN_AGENT}.json`]).map((name) => agentFile(join(folder, name)))
}

function agentFile(path: string): SettingsFile {
  return {
    path,
    add: (text, command) => addEntries(text ?? ownAgent(), SHAPE, entries(command)),
    remove(text) {
      const rest = removeEntries(text, SHAPE)
      return rest === ownAgent() ? undefined : rest
    },
    find: (text) => findEntries(text, SHAPE),
  }
}

function entries(command: CommandLine): Record<string, object> {
  return Object.fromEntries(
    wanted(AGENT_TRIGGERS, command).map((trigger) => [
      trigger,
      { command: command.line(trigger), timeout_ms: TIMEOUT_MS, max_output_size: MAX_OUTPUT_BYTES },
    ]),
  )
}

function ownAgent(): string {
  const about = 'Every tool, with the hooks of crosshook. Start it with --agent crosshook.'
  return setNew(setNew(setNew(undefined, ['name'], OWN_AGENT), ['description'], about), ['tools'], ['*'])
}

/** Undefined when there is no such folder. */
function listFolder(folder: string): string[] | undefined {
  try {
    return readdirSync(folder)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw thrown
  }
}
