/**
 * Moves waiting records to the database in a short-lived process, so that the engine does not keep the database's
 * pages.
 */

import { spawn } from 'node:child_process'
import type { Journal } from '../../journal/port.ts'

const MAX_WAITING_BYTES = 4 * 1024 * 1024
const LOOK_EVERY_MS = 5000

/** Runs until the returned function is called. Reading the totals also moves what waits. */
export function takeInElsewhere(
  journal: Journal,
  trouble: (sentence: string) => void,
  { main = process.argv[1]!, look: pause = LOOK_EVERY_MS } = {},
): () => void {
  journal.letWait(Number.POSITIVE_INFINITY)
  const look = setInterval(() => {
    if (journal.waiting < MAX_WAITING_BYTES) return
    journal.forgetWaiting()
    spawn(process.execPath, [main, 'status'], { cwd: '/', stdio: 'ignore' })
      .on('error', (error) => trouble(`the journal's records wait for the database: ${error.message}`))
      .on('exit', (code) => {
        if (code !== 0) trouble(`the journal's records wait for the database: run \`crosshook status\``)
      })
      .unref()
  }, pause).unref()
  return () => clearInterval(look)
}
