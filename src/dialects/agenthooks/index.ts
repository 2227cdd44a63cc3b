/** Agent Hooks: a folder for each hook, with a HOOK.md and `scripts/run`. The canonical events are its own. */

import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Dialect, Source } from '../../spec/dialect.ts'
import { EVENT_NAMES } from '../../spec/event.ts'
import { encode, LATER_NAMES } from './events.ts'
import { decode } from './replies.ts'

export const dialect: Dialect = {
  id: 'agenthooks',
  title: 'Agent Hooks',
  events: { ...Object.fromEntries(EVENT_NAMES.map((name) => [name, name])), ...LATER_NAMES },
  tools: {},
  format: {
    files: { project: ['.agents/hooks'], user: ['.config/agents/hooks'] },
    recognises,
    read: async (source) => (await import('./config.ts')).read(source),
    encode,
    decode,
  },
}

function recognises(source: Source): number {
  if (source.text !== undefined || basename(source.path) === 'HOOK.md')
    return basename(source.path) === 'HOOK.md' ? 2 : 0
  const names = namesIn(source.path)
  if (names.includes('HOOK.md')) return 2
  if (names.some((name) => namesIn(join(source.path, name)).includes('HOOK.md'))) return 2
  return names.includes('hook.md') ? 1 : 0
}

/** Names in a folder; none when it is no folder or cannot be read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
