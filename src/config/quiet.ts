/** Events that an agent could tell crosshook of and does not: kept by `install`, looked at when a session begins. */

import { sep } from 'node:path'
import { readText } from '../spec/read-file.ts'

export function quietFile(stateDir: string): string {
  return `${stateDir}${sep}install${sep}quiet.json`
}

/** Native names. */
export function quietEvents(stateDir: string, agent: string): string[] {
  const known = allQuietEvents(stateDir)
  return Object.hasOwn(known, agent) ? known[agent]! : []
}

/** By agent. */
export function allQuietEvents(stateDir: string): Record<string, string[]> {
  try {
    return JSON.parse(readText(quietFile(stateDir))) as Record<string, string[]>
  } catch {
    return {} // nothing was installed, or by an earlier version, which took all events
  }
}
