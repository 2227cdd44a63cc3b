/** What `crosshook setup` has done, for `--undo`. */

import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeBytes } from '../install/settings-bytes.ts'
import { readText } from '../spec/read-file.ts'

export interface Done {
  agents: string[]
  hooks: string[]
}

export function readDone(state: string): Done {
  if (!existsSync(recordFile(state))) return { agents: [], hooks: [] }
  return JSON.parse(readText(recordFile(state))) as Done
}

export function remember(state: string, more: Done): void {
  const { agents, hooks } = readDone(state)
  const done: Done = {
    agents: [...new Set([...agents, ...more.agents])],
    hooks: [...new Set([...hooks, ...more.hooks])],
  }
  writeBytes(recordFile(state), Buffer.from(`${JSON.stringify(done, null, 2)}\n`), 0o600)
}

export function forget(state: string): void {
  rmSync(recordFile(state), { force: true })
}

function recordFile(state: string): string {
  return join(state, 'setup.json')
}
