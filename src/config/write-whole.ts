/** Writes a file atomically, readable only by its owner. */

import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from './make-folder.ts'

export function writeWhole(file: string, content: string | Uint8Array, mode = 0o600): void {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    makeFolder(dirname(file))
    writeFileSync(temporary, content, { mode })
    renameSync(temporary, file)
  } catch (error) {
    removeQuietly(temporary)
    throw error
  }
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // On a read-only disk there is nothing to remove.
  }
}
