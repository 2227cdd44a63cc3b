/** Events for which an agent has no entry of crosshook. Written by `install`, read when a session begins. */

import { sep } from 'node:path'
import { readText } from '../spec/read-file.ts'

export function quietFile(stateDir: string): string {
  return `${stateDir}${sep}install${sep}quiet.json`
}

/** Native event names. */
export function quietEvents(stateDir: string, agent: string): string[] {
  const known = allQuietEvents(stateDir)
  return Object.hasOwn(known, agent) ? known[agent]! : []
}

/** By agent. */
export function allQuietEvents(stateDir: string): Record<string, string[]> {
  try {
    return JSON.parse(readText(quietFile(stateDir))) as Record<string, string[]>
  } catch {
    return {} // not installed, or by an earlier version, which wired all events
  }
}
