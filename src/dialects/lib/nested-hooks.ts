/** Settings of the shape `hooks: {Event: [{matcher, hooks: [{command}]}]}`, or flat: `hooks: {Event: [{command}]}`. */

import type { Entry } from '../../spec/installer.ts'
import { isOurCommand } from './command-marker.ts'
import { append, lineOf, type Path, parseSettings, removeEach } from './json-settings.ts'
import { isRecord, record } from './payload.ts'

export interface Shape {
  agent: string
  /** Entries stand directly below the event. */
  flat?: boolean
  /** Where the events are; `hooks` when left out. */
  at?: readonly string[]
}

/** One hook entry of a settings file, with the group around it. */
export interface Found {
  event: string
  /** The group; the entry itself when the shape is flat. */
  group: Record<string, unknown>
  entry: Record<string, unknown>
  path: Path
}

/** Our entries, one an event, in place of those that are there already. */
export function addEntries(
  text: string | undefined,
  shape: Shape,
  entries: Readonly<Record<string, object>>,
): string {
  const clean = text === undefined ? undefined : removeEntries(text, shape)
  return Object.entries(entries).reduce<string | undefined>(
    (edited, [event, entry]) => append(edited, [...eventsPath(shape), event], entry),
    clean,
  )!
}

export function removeEntries(text: string, shape: Shape): string | undefined {
  return removeEach(text, (root) => {
    const ours = listEntries(root, shape).find(({ entry }) => isOurs(entry, shape))
    if (!ours || shape.flat) return ours?.path
    // Our group goes as a whole; in a group with others only our entry does.
    const siblings = ours.group.hooks as unknown[]
    return siblings.length === 1 ? ours.path.slice(0, -2) : ours.path
  })
}

export function findEntries(text: string, shape: Shape): Entry[] {
  return listEntries(parseSettings(text), shape).map(({ event, group, entry, path }) => {
    const line = lineOf(text, path)
    return {
      event,
      command: commandOf(entry) ?? JSON.stringify(entry),
      ours: isOurs(entry, shape),
      ...(typeof group.matcher === 'string' ? { matcher: group.matcher } : {}),
      ...(line === undefined ? {} : { line }),
      ...(Array.isArray(entry.args) ? { args: entry.args.map(String) } : {}),
      ...(isRecord(entry.headers) ? { headers: texts(entry.headers) } : {}),
    }
  })
}

/** Every entry that has the right shape; others are left out. */
export function listEntries(root: unknown, shape: Shape): Found[] {
  const found: Found[] = []
  const at = eventsPath(shape)
  const events = at.reduce<unknown>((value, key) => record(value)[key], root)
  for (const [event, groups] of Object.entries(record(events))) {
    for (const [g, group] of (Array.isArray(groups) ? groups : []).entries()) {
      if (!isRecord(group)) continue
      const path = [...at, event, g]
      if (shape.flat) found.push({ event, group, entry: group, path })
      else
        for (const [h, entry] of (Array.isArray(group.hooks) ? group.hooks : []).entries())
          if (isRecord(entry)) found.push({ event, group, entry, path: [...path, 'hooks', h] })
    }
  }
  return found
}

export function isOurs(entry: Record<string, unknown>, shape: Pick<Shape, 'agent'>): boolean {
  return isOurCommand(commandOf(entry), shape.agent)
}

/** What an entry runs: a line for a shell or a URL. */
function commandOf(entry: Record<string, unknown>): string | undefined {
  const text = [entry.command, entry.bash, entry.url, entry.prompt].find((value) => typeof value === 'string')
  return text as string | undefined
}

function texts(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

function eventsPath(shape: Shape): readonly string[] {
  return shape.at ?? ['hooks']
}
