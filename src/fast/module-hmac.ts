/**
 * HMAC-SHA-256 (RFC 2104) in the WebAssembly module for one key: its two blocks are hashed once. The launcher compiles this
 * anew at each cold call, so it is little code; the slow twin is in nh.test.ts.
 */

import { BLOCKS, digestIn, type HashModule, PIECE, padIn, ROOM, STATE } from './hash-module.ts'
import { INITIAL } from './sha256-script.ts'

const BLOCK_BYTES = 64

/** The key has one block at most. */
export function moduleHmac(module: HashModule, key: Uint8Array): (text: Uint8Array) => Buffer {
  const { buffer } = module.memory
  const state = new Int32Array(buffer, STATE, 8)
  const blocks = new Uint8Array(buffer, BLOCKS, PIECE)
  const afterKey = (filler: number) => {
    blocks.fill(filler, 0, BLOCK_BYTES)
    for (let i = 0; i < key.length; i++) blocks[i]! ^= key[i]!
    state.set(INITIAL)
    module.run(BLOCK_BYTES)
    return state.slice()
  }
  /** Of the key's block, which was hashed into `start`, and the text. */
  const hash = (start: Int32Array, text: Uint8Array) => {
    state.set(start)
    let rest = text
    for (; rest.length >= ROOM; rest = rest.subarray(ROOM)) {
      blocks.set(rest.subarray(0, ROOM))
      module.run(ROOM)
    }
    module.run(padIn(blocks, rest, BLOCK_BYTES + text.length))
    return digestIn(module)
  }
  const inner = afterKey(0x36)
  const outer = afterKey(0x5c)
  return (text) => hash(outer, hash(inner, text))
}
