/** Options for the Node of the cold path, which judges one event and ends. */

import { spawnSync } from 'node:child_process'

/** Measured by `node bench/flags.ts`. An installed entry has those that its Node knows; with others Node would not start. */
export const COLD_FLAGS = [
  // V8 would look for prime numbers for a new hash seed, and hash all texts of its snapshot again: 2 ms. With a fixed seed a
  // payload can be made whose names collide. It takes longer to read, until the relay refuses it.
  '--no-rehash-snapshot',
  // No garbage collection for most events.
  '--min-semi-space-size=4',
  // A function is called a few times: what V8 would write down of the calls, to compile it better, costs more than it brings.
  '--invocation-count-for-feedback-allocation=1000',
  // Threads with nothing to do.
  '--v8-pool-size=1',
]

const known = new Map<string, string[]>()

/** Those that this Node knows. */
export function coldFlags(node: string): string[] {
  const found =
    known.get(node) ??
    (accepts(node, COLD_FLAGS) ? COLD_FLAGS : COLD_FLAGS.filter((flag) => accepts(node, [flag])))
  known.set(node, found)
  return found
}

function accepts(node: string, flags: readonly string[]): boolean {
  return spawnSync(node, [...flags, '--eval', ''], { env: {}, stdio: 'ignore' }).status === 0
}
