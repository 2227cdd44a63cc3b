/**
 * SHA-256 for texts of kilobytes, in WebAssembly. Loading `node:crypto` takes a new process 6 ms, and V8's interpreter
 * takes 4 ms for the 8 KB of a plan; this takes about 1.3 ms including its compilation (CPU profiles of cold calls).
 * The slow twin is sha256-script.ts.
 */

import { BLOCKS, type HashModule, hashModule, PIECE, STATE } from './hash-module.ts'
import { INITIAL, pad, sha256InScript } from './sha256-script.ts'

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

export function sha256In(module: HashModule): Hash {
  const { buffer } = module.memory
  const state = new Int32Array(buffer, STATE, 8)
  const digest = Buffer.from(buffer, STATE, 32)
  const blocks = new Uint8Array(buffer, BLOCKS, PIECE)
  return (bytes) => {
    const padded = pad(bytes)
    state.set(INITIAL)
    for (let at = 0; at < padded.length; at += PIECE) {
      const piece = padded.subarray(at, at + PIECE)
      blocks.set(piece)
      module.run(piece.length)
    }
    return digest.swap32().toString('hex')
  }
}
