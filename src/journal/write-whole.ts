import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'

/** The file appears with all of its content or not at all, whenever the process or the machine stops. */
export function writeWhole(path: string, text: string): void {
  const temporary = `${path}.tmp-${process.pid}`
  const file = openSync(temporary, 'w', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
}
