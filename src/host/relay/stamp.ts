/** Has the program on the disk been replaced since this process started? */

import { realpathSync, statSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { fingerprint } from '../../config/fingerprint.ts'

/** `file` is what Node was started with. True once it has changed or gone. */
export function stampOf(file: string | undefined): () => boolean {
  if (file === undefined) return () => false
  const path = realpathSync(file)
  const known = fingerprint(path)
  // Replaced while this process started: either of the two may have been loaded.
  if (statSync(path).ctimeMs > performance.timeOrigin) return () => true
  return () => fingerprint(path) !== known
}
