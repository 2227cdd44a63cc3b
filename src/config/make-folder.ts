import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** Creates the folder and its parents. Node's `recursive` reports a read-only disk as "no such file or directory". */
export function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
