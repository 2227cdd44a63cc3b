/** For tests of what is cached until files change. */

import { statSync } from 'node:fs'
import { expect } from 'vitest'
import { RACY_MS } from './fingerprint.ts'

/** Waits until the files are old enough that a later change always changes their fingerprint (see `RACY_MS`). */
export async function untilOldEnough(...files: string[]): Promise<void> {
  const isOldEnough = (file: string) => Date.now() - statSync(file).ctimeMs > RACY_MS
  await expect.poll(() => files.every(isOldEnough), { interval: 10 }).toBe(true)
}
