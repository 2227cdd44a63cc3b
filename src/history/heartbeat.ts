/** Finds agents that are wired and, by their transcripts, call tools without asking hooks. */

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { paths } from '../config/paths.ts'
import { readSettings } from '../config/settings.ts'
import type { Journal } from '../journal/port.ts'
import { readText } from '../spec/read-file.ts'
import { createTally } from './reading.ts'
import { filesBelow } from './transcript-files.ts'
import { fileCalls, type Historian, historians } from './transcripts.ts'

export interface Heartbeat {
  agent: string
  /** Sessions in its newest transcripts with a tool call since it was wired. */
  sessions: number
  /** Of these: unknown to the journal. */
  silent: number
  /** The newest of those. */
  example?: { session: string; at: string; file: string }
}

export interface HeartbeatOptions {
  env: NodeJS.ProcessEnv
  journal: Journal
  /** How far back to look, in milliseconds. */
  age?: number
  /** Only this agent. */
  agent?: string
}

const DEFAULT_AGE_MS = 7 * 86_400_000
/** Most transcripts per agent, newest first. */
const MAX_FILES = 20
/** Most calls per transcript: a database has many sessions. */
const MAX_CALLS = 2000
/** An agent that was running when it was wired reads its settings at its next start. */
const SLACK_MS = 10 * 60_000

export async function heartbeats({
  env,
  journal,
  age = DEFAULT_AGE_MS,
  agent,
}: HeartbeatOptions): Promise<Heartbeat[]> {
  const { home, state } = paths(env)
  const { settings } = await readSettings([paths(env).settings, paths(env).managedSettings], home)
  // Without a journal it is unknown who was asked.
  if (settings.journal.enabled === false) return []
  const wired = wiredAt(state)
  const found: Heartbeat[] = []
  for (const historian of await historians([...wired.keys()])) {
    if (agent !== undefined && historian.id !== agent) continue
    const since = new Date(Math.max(wired.get(historian.id)! + SLACK_MS, Date.now() - age))
    found.push(await heartbeat(historian, { env, home, journal, since }))
  }
  return found
}

/** A warning for a person; undefined when all is well. */
export function alarmOf({ silent, sessions, example }: Heartbeat, title: string): string | undefined {
  if (silent === 0) return undefined
  const which =
    silent === sessions
      ? silent === 1
        ? 'its newest session'
        : `all of its ${sessions} newest sessions`
      : `${silent} of its ${sessions} newest sessions`
  return `${title} called tools in ${which} and asked no hook about them (${example!.session}, ${example!.at})`
}

interface Around {
  env: NodeJS.ProcessEnv
  home: string
  journal: Journal
  since: Date
}

async function heartbeat(historian: Historian, { env, home, journal, since }: Around): Promise<Heartbeat> {
  const sessions = new Map<string, { at: string; file: string }>()
  const tally = createTally()
  for (const place of historian.history.places({ home, env }))
    for (const file of await newestFiles(place.folder, place.files, since)) {
      let left = place.kind === 'rows' ? MAX_CALLS : 1
      for await (const { event } of fileCalls(file, place, historian, { home, env, tally, since })) {
        if (!sessions.has(event.session_id)) sessions.set(event.session_id, { at: event.timestamp, file })
        if (--left === 0) break
      }
    }
  const silent = [...sessions]
    .filter(([session]) => journal.list({ session, limit: 1 }).length === 0)
    .sort(([, a], [, b]) => (a.at < b.at ? 1 : -1))
  const [newest] = silent
  return {
    agent: historian.id,
    sessions: sessions.size,
    silent: silent.length,
    ...(newest ? { example: { session: newest[0], ...newest[1] } } : {}),
  }
}

async function newestFiles(folder: string, files: RegExp, since: Date): Promise<string[]> {
  const found: { path: string; changed: number }[] = []
  for await (const name of filesBelow(folder, createTally())) {
    if (!files.test(name)) continue
    const path = join(folder, name)
    const changed = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    )
    if (changed >= since.getTime()) found.push({ path, changed })
  }
  return found
    .sort((a, b) => b.changed - a.changed)
    .slice(0, MAX_FILES)
    .map(({ path }) => path)
}

/** When each agent was wired for this user, in milliseconds. */
function wiredAt(state: string): Map<string, number> {
  const wired = new Map<string, number>()
  try {
    const { files } = JSON.parse(readText(join(state, 'install', 'manifest.json'))) as {
      files?: { agent: string; level: string; at: string }[]
    }
    for (const { agent, level, at } of files ?? [])
      if (level === 'user') wired.set(agent, Math.max(wired.get(agent) ?? 0, Date.parse(at) || 0))
  } catch {
    // nothing was installed
  }
  return wired
}
