/**
 * SHA-256 for texts of kilobytes, in WebAssembly. Loading `node:crypto` takes a new process 6 ms, and V8's interpreter
 * takes 4 ms for the 8 KB of a plan; this takes about 1.3 ms including its compilation (CPU profiles of cold calls).
 * The slow twin is sha256-script.ts.
 */

import { BLOCKS, digestIn, type HashModule, hashModule, PIECE, padIn, ROOM, STATE } from './hash-module.ts'
import { INITIAL, sha256InScript } from './sha256-script.ts'

export function sha256(bytes: Uint8Array): string {
  hash ??= prepare()
  return hash(bytes)
}

type Hash = (bytes: Uint8Array) => string

let hash: Hash | undefined

function prepare(): Hash {
  const module = hashModule()
  return module ? sha256In(module) : sha256InScript
}

function sha256In(module: HashModule): Hash {
  const { buffer } = module.memory
  const state = new Int32Array(buffer, STATE, 8)
  const blocks = new Uint8Array(buffer, BLOCKS, PIECE)
  return (bytes) => {
    state.set(INITIAL)
    let rest = bytes
    for (; rest.length >= ROOM; rest = rest.subarray(ROOM)) {
      blocks.set(rest.subarray(0, ROOM))
      module.run(ROOM)
    }
    module.run(padIn(blocks, rest, bytes.length))
    return digestIn(module).toString('hex')
  }
}
