import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** Writes a file atomically, safe against power loss: slower than `writeWhole`. */
export function writeDurably(path: string, text: string): void {
  const temporary = `${path}.tmp-${process.pid}`
  try {
    const file = openSync(temporary, 'w', 0o600)
    try {
      // Not `writeSync`, which on a nearly full disk writes a part and reports no error.
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
