/** Our entries in agent files: one per trigger, in each agent that the person has made. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandLine, Entry, Installer, Place, SettingsFile } from '../../spec/dialect.ts'
import { append, lineOf, parseSettings, removeEach, setNew } from '../lib/json-settings.ts'
import { AGENT_TRIGGERS, ID } from './events.ts'
import { isObject } from './tools.ts'

/** Long enough for every hook behind the entry; each of them has a limit of its own. */
const TIMEOUT = 600_000
/** Context beyond this is cut by the agent. */
const MOST_OUTPUT = 100_000
/** The agent that we make where there is none. */
const OWN_AGENT = 'crosshook'

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
    add(text, command) {
      const old = text === undefined ? undefined : removeEach(text, ours)
      return AGENT_TRIGGERS.reduce(
        (all, trigger) => append(all, ['hooks', trigger], entry(trigger, command)),
        old ?? ownAgent(),
      )
    },
    remove(text) {
      const rest = removeEach(text, ours)
      return rest === ownAgent() ? undefined : rest
    },
    find: (text) => entriesIn(text),
  }
}

function entry(trigger: string, command: CommandLine): Record<string, unknown> {
  return { command: command.line(trigger), timeout_ms: TIMEOUT, max_output_size: MOST_OUTPUT }
}

function ownAgent(): string {
  const about = 'Every tool, with the hooks of crosshook. Start it with --agent crosshook.'
  return setNew(setNew(setNew(undefined, ['name'], OWN_AGENT), ['description'], about), ['tools'], ['*'])
}

function entriesIn(text: string): Entry[] {
  return list(parseSettings(text)).map(({ path, fields }) => {
    const line = lineOf(text, path)
    return {
      event: path[1] as string,
      command: fields.command as string,
      ours: isOurs(fields.command as string),
      ...(typeof fields.matcher === 'string' ? { matcher: fields.matcher } : {}),
      ...(line === undefined ? {} : { line }),
    }
  })
}

function ours(root: unknown): (string | number)[] | undefined {
  return list(root).find(({ fields }) => isOurs(fields.command as string))?.path
}

function isOurs(command: string): boolean {
  return /\bcrosshook\b/.test(command) && command.includes(` hook ${ID}`)
}

function list(root: unknown): { path: (string | number)[]; fields: Record<string, unknown> }[] {
  const hooks = isObject(root) && isObject(root.hooks) ? root.hooks : {}
  return Object.entries(hooks).flatMap(([trigger, entries]) =>
    (Array.isArray(entries) ? entries : []).flatMap((fields: unknown, index) =>
      isObject(fields) && typeof fields.command === 'string'
        ? [{ path: ['hooks', trigger, index], fields }]
        : [],
    ),
  )
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
