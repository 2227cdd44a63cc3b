/**
 * Events that the hooks of each project listen to: agents are wired once for all projects, but a command knows only its
 * own.
 */

import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readText } from '../spec/read-file.ts'
import { writeBytes } from './settings-bytes.ts'

export interface ProjectEvents {
  /** Records what this folder needs from now on. Folders that are gone are dropped. */
  keep(folder: string, events: readonly string[]): void
  others(folder: string): string[]
}

export function projectEvents(state: string): ProjectEvents {
  const file = join(state, 'install', 'projects.json')
  const known = read(file)
  return {
    keep(folder, events) {
      const others = Object.entries(known).filter(([other]) => other !== folder && existsSync(other))
      const own = events.length > 0 ? [[folder, events.toSorted()] as const] : []
      const text = `${JSON.stringify(Object.fromEntries([...others, ...own].sort()), null, 2)}\n`
      if (text === (existsSync(file) ? readText(file) : '{}\n')) return
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      writeBytes(file, Buffer.from(text), 0o600)
    },
    others: (folder) => Object.entries(known).flatMap(([other, events]) => (other === folder ? [] : events)),
  }
}

function read(file: string): Record<string, string[]> {
  try {
    return JSON.parse(readText(file)) as Record<string, string[]>
  } catch {
    return {} // none yet; a damaged file is rewritten, and sessions report what is not wired
  }
}
