/** Agent Hooks: a folder for each hook, with a HOOK.md and `scripts/run`. The canonical events are its own. */

import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Dialect, Source } from '../../spec/dialect.ts'
import { EVENT_NAMES } from '../../spec/event.ts'
import { encode, LATER_NAMES } from './events.ts'
import { decode } from './replies.ts'

const FILE = 'HOOK.md'

export const dialect: Dialect = {
  id: 'agenthooks',
  title: 'Agent Hooks',
  events: { ...Object.fromEntries(EVENT_NAMES.map((name) => [name, name])), ...LATER_NAMES },
  tools: {},
  format: {
    closedBy: 'on_failure: closed',
    decodesFixedOnce: true,
    files: { project: ['.agents/hooks'], user: ['.config/agents/hooks'] },
    recognises,
    async read(source) {
      const { read, lineOfField } = await import('./config.ts')
      return { ...read(source), lineOf: lineOfField }
    },
    encode,
    decode,
    editor: async () => {
      const { editFields, readFields } = await import('./edit-hook-file.ts')
      return { editFields, readFields, schema: async () => (await import('./json-schema.ts')).hookSchema() }
    },
  },
}

function recognises(source: Source): number {
  const name = basename(source.path)
  if (name === FILE) return 2
  if (source.text !== undefined) return isFile(name) ? 1 : 0
  const names = namesIn(source.path)
  const files = [names, ...names.map((child) => namesIn(join(source.path, child)))].flat()
  if (files.includes(FILE)) return 2
  // So that a file in lower case, or a folder that is still empty, is explained rather than unknown.
  return files.some(isFile) || /[\\/]\.?agents[\\/]hooks$/.test(source.path) ? 1 : 0
}

function isFile(name: string): boolean {
  return name.toLowerCase() === FILE.toLowerCase()
}

/** Names in a folder; none when it is no folder or cannot be read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
