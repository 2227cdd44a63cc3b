/** One event never runs a hook twice: some agents also run another agent's settings, and with them our entry there. */

import { readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { CALLER_MARKS } from '../dialects/list.ts'

/** Is the caller another agent, whose own entry answers this event too? Only then may this entry stay silent. */
export function answersElsewhere(
  agent: string,
  env: NodeJS.ProcessEnv,
  stateDir: string,
  workDir: string,
): boolean {
  let caller: string | undefined
  for (const mark in CALLER_MARKS) {
    if (!env[mark]) continue
    if (CALLER_MARKS[mark] === agent) return false
    caller = CALLER_MARKS[mark]
  }
  return caller !== undefined && isInstalled(caller, stateDir, workDir)
}

function isInstalled(agent: string, stateDir: string, workDir: string): boolean {
  try {
    const manifest = JSON.parse(readFileSync(join(stateDir, 'install', 'manifest.json'), 'utf8')) as {
      files?: { agent: string; level: string; file: string }[]
    }
    return (manifest.files ?? []).some(
      (entry) => entry.agent === agent && (entry.level === 'user' || entry.file.startsWith(workDir + sep)),
    )
  } catch {
    return false // nothing was installed: this entry is the only one
  }
}
