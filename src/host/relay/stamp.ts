/** Is the program on the disk still the one that runs? */

import { realpathSync, statSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { fingerprint } from '../../config/fingerprint.ts'

/** `file` is what Node was started with. True once it has changed or gone. */
export function stampOf(file: string | undefined): () => boolean {
  if (file === undefined) return () => false
  const path = realpathSync(file)
  const known = fingerprint(path)
  // Replaced while we were starting: nobody can say which of the two was loaded.
  if (statSync(path).ctimeMs > performance.timeOrigin) return () => true
  return () => fingerprint(path) !== known
}
