/**
 * Who looks at questions right now: an open page, a terminal with `crosshook approvals`. Files, visible to every
 * process.
 */

import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../config/make-folder.ts'
import { lookAt } from '../pipeline/starter.ts'

/** Until the returned function is called, or the process ends. */
export function bePresent(stateDir: string, where: string): () => void {
  const folder = folderOf(stateDir)
  makeFolder(folder)
  const file = join(folder, `${where}-${process.pid}`)
  writeFileSync(file, '', { mode: 0o600 })
  return () => rmSync(file, { force: true })
}

/** The channels that somebody is looking at. */
export function present(stateDir: string): string[] {
  let names: string[]
  try {
    names = readdirSync(folderOf(stateDir))
  } catch {
    return [] // nobody ever looked
  }
  return names.flatMap((name) => {
    const [, where, pid] = /^([a-z]+)-(\d+)$/.exec(name) ?? []
    return where !== undefined && isThere(Number(pid)) ? [where] : []
  })
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // The pid belongs to another program by now.
    return lookAt(pid)?.argv.some((word) => /crosshook|node|main\.cjs/.test(word)) !== false
  } catch {
    return false
  }
}

function folderOf(stateDir: string): string {
  return join(stateDir, 'asks', 'present')
}
