/** Finds hook entries in agents' settings that crosshook did not write: a common place for malware to persist. */

import { existsSync, realpathSync } from 'node:fs'
import { formatFiles } from '../config/load.ts'
import { DIALECTS, loadDialect } from '../dialects/list.ts'
import { sha256Hex } from '../fast/digest.ts'
import type { Dialect } from '../spec/dialect.ts'
import { messageOf } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import type { Place } from '../spec/installer.ts'
import { genuine, isOwnCall, isProgram, type Maker } from './genuine.ts'
import { placeOf } from './known.ts'
import { readBytes, toText } from './settings-bytes.ts'

export interface ForeignEntry {
  fingerprint: string
  agent: string
  title: string
  level: Place['level']
  file: string
  line?: number
  event: string
  matcher?: string
  command: string
  /** It looks like an entry of crosshook, but this crosshook did not write it. */
  pretends?: true
}

export interface Foreign {
  entries: ForeignEntry[]
  /** Files that could not be read. */
  unreadable: { file: string; message: string }[]
}

export async function foreignEntries(
  env: NodeJS.ProcessEnv,
  project: string,
  maker: Maker,
): Promise<Foreign> {
  const found: Foreign = { entries: [], unreadable: [] }
  for (const id of Object.keys(DIALECTS)) {
    const dialect = await loadDialect(id)
    if (!dialect.agent) continue
    const seen = new Set<string>()
    for (const level of ['user', 'project'] as const)
      await look(dialect, placeOf(env, project, level), { seen, found, maker })
  }
  return found
}

export function fingerprintOf(entry: Pick<ForeignEntry, 'agent' | 'event' | 'command'>): string {
  return sha256Hex(JSON.stringify([entry.agent, entry.event, entry.command])).slice(0, 16)
}

type Part = Pick<ForeignEntry, 'event' | 'command' | 'matcher' | 'line' | 'pretends'>

interface Search {
  seen: Set<string>
  found: Foreign
  maker: Maker
}

/** The files that we write, then those that only the format knows. A project in the home folder is searched once. */
async function look(dialect: Dialect, place: Place, { seen, found, maker }: Search): Promise<void> {
  const { id, title, format } = dialect
  const take = async (file: string, read: (text: string) => Part[] | Promise<Part[]>) => {
    if (!existsSync(file) || seen.has(realpathSync(file))) return
    seen.add(realpathSync(file))
    try {
      const parts = await read(toText(readBytes(file) ?? Buffer.alloc(0), file))
      // Some agents read a file that contains another agent's entries.
      for (const part of parts.filter(({ command }) => !isOwnCall(command, maker)))
        found.entries.push({
          fingerprint: fingerprintOf({ agent: id, ...part }),
          agent: id,
          title,
          level: place.level,
          file,
          ...part,
        })
    } catch (error) {
      found.unreadable.push({ file, message: messageOf(error) })
    }
  }
  const known = maker.agents.find((each) => each.id === id)
  for (const file of known?.installer.files(place) ?? [])
    await take(file.path, (text) => {
      const isGenuine = genuine(known!, file, text, maker)
      const others = file.find(text).filter((entry) => !isGenuine(entry))
      if (others.length > 0 && isProgram(file, text)) return [changedProgram(text)]
      return others.map(({ event, command, matcher, line, ours }) => ({
        event,
        command,
        ...(matcher === undefined ? {} : { matcher }),
        ...(line === undefined ? {} : { line }),
        ...(ours ? { pretends: true as const } : {}),
      }))
    })
  if (!format) return
  const { level } = place
  if (level === 'managed') return // its files are those of the installer
  const base = level === 'user' ? place.home : place.project
  for (const path of await formatFiles(id, base, level, {}))
    await take(path, async (text) => (await format.read({ path, text, scope: level })).hooks.map(partOf))
}

function changedProgram(text: string): Part {
  return { event: '*', command: `program sha256:${sha256Hex(text)}`, pretends: true }
}

function partOf({ events, native_event, run, origin }: Hook): Part {
  const line = origin.line === undefined ? {} : { line: origin.line }
  return { event: native_event ?? events.join(), command: commandOf(run), ...line }
}

function commandOf(run: Hook['run']): string {
  if (run.type === 'command') {
    if ('entry' in run) return run.entry
    return 'argv' in run ? run.argv.join(' ') : run.command
  }
  return run.type === 'http' ? run.url : JSON.stringify(run)
}
