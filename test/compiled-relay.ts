/** The relay for tests, compiled once for all of them: two seconds of a core. */

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { compileRelay, FLAGS } from '../relay/build.ts'

const relay = join(import.meta.dirname, '../relay')
const kept = join(import.meta.dirname, '../node_modules/.cache/crosshook-relay-tests')

/** Long, for a busy machine. */
const LIMITS_MS = [30_000, 60_000] as const
const AFTER_ANSWER_MS = 600_000
const found = new Map<string, string>()

/**
 * Undefined without a C compiler. `patience`: milliseconds for the first byte, and for each further one. The file is kept
 * under a hash of all that it is made of; who copies it may do with the copy what they like.
 */
export function compiledRelay([first, next]: readonly [number, number] = LIMITS_MS): string | undefined {
  const known = found.get(`${first} ${next}`)
  if (known !== undefined) return known
  const { stdout: compiler, error } = spawnSync(process.env.CC || 'cc', ['--version'], { encoding: 'utf8' })
  if (error) return undefined
  const limits = { FIRST_BYTE_MS: first, NEXT_BYTE_MS: next, AFTER_ANSWER_MS }
  const flags = ['-Werror', ...Object.entries(limits).map(([name, value]) => `-D${name}=${value}`)]
  const hash = createHash('sha256').update(JSON.stringify([compiler, FLAGS, flags]))
  for (const name of globSync(['*.c', '*.h', 'build.ts'], { cwd: relay }).sort())
    hash.update(`\0${name}\0`).update(readFileSync(join(relay, name)))
  const file = join(kept, hash.digest('hex').slice(0, 32))
  if (!existsSync(file)) compile(file, flags)
  found.set(`${first} ${next}`, file)
  return file
}

/** Under a name of its own first: other tests may compile the same, or look for it, meanwhile. */
function compile(file: string, flags: readonly string[]): void {
  mkdirSync(kept, { recursive: true })
  const unfinished = `${file}.${process.pid}`
  const complaint = compileRelay(unfinished, flags)
  if (complaint !== undefined) throw new Error(complaint)
  renameSync(unfinished, file)
}
