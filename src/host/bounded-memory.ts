/**
 * V8 lets the space for new objects grow during a long run to more than 100 MB, most of it empty. Code that goes
 * through a lot of data calls this now and then to stop the growth once the space is large enough.
 */

/** More saves little time (bench/replay.ts). */
const LARGE_ENOUGH_BYTES = 16 * 1024 * 1024

export function createBound(enough = LARGE_ENOUGH_BYTES): () => void {
  const v8 = process.getBuiltinModule('node:v8')
  let isBound = false
  return () => {
    if (isBound) return
    const young = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    if (!young || young.space_size < enough) return
    v8.setFlagsFromString('--semi-space-growth-factor=1')
    isBound = true
  }
}
