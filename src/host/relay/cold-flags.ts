/** Options for the Node of the cold path, which judges one event and ends. */

import { spawnSync } from 'node:child_process'

/** Measured by `node bench/flags.ts`. An installed entry has those that its Node knows; with others Node would not start. */
export const COLD_FLAGS = [
  // Without it V8 looks for prime numbers for a new hash seed and hashes all texts of its snapshot again: 2 ms. With one
  // seed, a payload can be made whose names all collide: it takes longer, until the relay refuses it.
  '--no-rehash-snapshot',
  // No garbage collection for most events.
  '--min-semi-space-size=4',
  // The middle tier would compile code that soon is not needed any more.
  '--no-sparkplug',
  // Threads that have nothing to do.
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
