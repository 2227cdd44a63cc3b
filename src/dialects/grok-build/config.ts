/** Grok Build's files of hooks: adds and removes crosshook's file, and reads its hooks. */

import { join } from 'node:path'
import type { NativeEntry, Source } from '../../spec/dialect.ts'
import type { Loaded } from '../../spec/hook.ts'
import type { EntryProblem, Installer, Place } from '../../spec/installer.ts'
import { readCommandHooks } from '../lib/command-hooks.ts'
import { entryPerEvent, hooksFile } from '../lib/hooks-file.ts'
import type { Shape } from '../lib/nested-hooks.ts'
import { eventNames } from '../lib/payload.ts'
import { nameList, nestedSettings, wholeSeconds } from '../lib/write-hooks.ts'
import { capabilities } from './capabilities.ts'
import { events, ID } from './events.ts'
import { switchedOff } from './off.ts'
import { ALIASES, tools } from './tools.ts'

const SHAPE: Shape = { agent: ID }

/** Seconds. Long, so that the time limits of the engine apply first; at the end of a session it waits no longer than a minute. */
const TIMEOUT_SECONDS = 600
const END_TIMEOUT_SECONDS = 60
/** Its own limits for entries that name none. */
const GATE_SECONDS = 600
const DEFAULT_SECONDS = 5

export const installer: Installer = {
  detect: { programs: ['grok'], folders: ['.grok'] },
  portable: { note: 'Grok Build runs hooks of a folder that it trusts.' },
  files: (place) => [
    {
      ...hooksFile({
        path: join(folderOf(place), 'hooks', 'crosshook.json'),
        shape: SHAPE,
        entries: (command) =>
          entryPerEvent(Object.keys(events), (event) => ({
            hooks: [{ type: 'command', command: command.line(event), timeout: waitSeconds(event) }],
          })),
      }),
      problems,
    },
  ],
  waitSeconds,
  activity: (place) => [join(folderOf({ ...place, level: 'user' }), 'sessions')],
}

function folderOf({ home, project, env, level }: Place): string {
  return level === 'user' ? env.GROK_HOME || join(home, '.grok') : join(project, '.grok')
}

function waitSeconds(event: string): number {
  return event === 'SessionEnd' ? END_TIMEOUT_SECONDS : TIMEOUT_SECONDS
}

/** Settings that keep our entries from running. */
function problems(_text: string | undefined, place: Place): EntryProblem[] {
  return switchedOff(folderOf({ ...place, level: 'user' }))
}

export function read(source: Source): Loaded {
  return readCommandHooks(source, {
    words: { id: ID, tools, aliases: ALIASES },
    events: eventNames(ID, events),
    capabilities,
    shapes: () => [SHAPE],
    matcher: 'names or whole',
    timeout: ({ timeout }) => (typeof timeout === 'number' ? timeout : DEFAULT_SECONDS) * 1000,
    more: (entry, event) =>
      entry.timeout === undefined && GATES.includes(event) ? { timeout: GATE_SECONDS * 1000 } : {},
    mode: 'sequence',
  })
}

const GATES = ['Stop', 'SubagentStop', 'PostToolUse']

export function write(entries: readonly NativeEntry[]): string {
  return nestedSettings(entries, { matcher: nameList, timeout: wholeSeconds })
}
