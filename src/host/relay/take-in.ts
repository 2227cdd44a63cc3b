/** Lets a short process move waiting records to the database, whose pages an engine need not hold for ever. */

import { spawn } from 'node:child_process'
import type { Store } from '../../journal/store.ts'

const MANY = 4 * 1024 * 1024
const LOOK = 5000

/** Until the function that comes back is called. Whoever asks for the totals has taken in what waits. */
export function takeInElsewhere(
  store: Store,
  trouble: (sentence: string) => void,
  { main = process.argv[1]!, look: pause = LOOK } = {},
): () => void {
  store.patience = Number.POSITIVE_INFINITY
  const look = setInterval(() => {
    if ((store.waiting ?? 0) < MANY) return
    store.waiting = 0
    spawn(process.execPath, [main, 'status'], { cwd: '/', stdio: 'ignore' })
      .on('error', (error) => trouble(`the journal's records wait for the database: ${error.message}`))
      .on('exit', (code) => {
        if (code !== 0) trouble(`the journal's records wait for the database: run \`crosshook status\``)
      })
      .unref()
  }, pause).unref()
  return () => clearInterval(look)
}
