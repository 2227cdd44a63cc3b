/** Has the program on the disk been replaced since this process started? */

import { realpathSync, type Stats, statSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

/** `file` is what Node was started with. True once it has changed or gone. */
export function stampOf(file: string | undefined): () => boolean {
  if (file === undefined) return () => false
  const path = realpathSync(file)
  const known = statSync(path)
  // Replaced while this process started: either of the two may have been loaded.
  if (known.ctimeMs > performance.timeOrigin) return () => true
  return () => !isSame(path, known)
}

function isSame(path: string, known: Stats): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found?.ino === known.ino && found.size === known.size && found.ctimeMs === known.ctimeMs
  } catch {
    return false // nobody can look at it any more
  }
}
