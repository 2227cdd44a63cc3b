/** For tests of what is kept as long as files do not change. */

import { statSync } from 'node:fs'
import { expect } from 'vitest'
import { RACY_MS } from './fingerprint.ts'

/** Waits until the files are old enough that no later change could hide behind the granularity of the clock. */
export async function untilOldEnough(...files: string[]): Promise<void> {
  const isOldEnough = (file: string) => Date.now() - statSync(file).ctimeMs > RACY_MS
  await expect.poll(() => files.every(isOldEnough), { interval: 10 }).toBe(true)
}
