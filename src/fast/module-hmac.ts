/**
 * HMAC-SHA-256 (RFC 2104) in the WebAssembly module for one key: its two blocks are hashed once. The launcher compiles this
 * anew at each cold call, so it is little code; the slow twin is in nh.test.ts.
 */

import { BLOCKS, type HashModule, PIECE, STATE } from './hash-module.ts'
import { INITIAL } from './sha256-script.ts'

const BLOCK_BYTES = 64
/** Bytes passed at once; a block is left for the padding. */
const ROOM = PIECE - BLOCK_BYTES

/** The key has one block at most. */
export function moduleHmac(module: HashModule, key: Uint8Array): (text: Uint8Array) => Buffer {
  const { buffer } = module.memory
  const state = new Int32Array(buffer, STATE, 8)
  const blocks = new Uint8Array(buffer, BLOCKS, PIECE)
  const digest = Buffer.from(buffer, STATE, 32)
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
    const size = padIn(blocks, rest, BLOCK_BYTES + text.length)
    module.run(size)
    return Buffer.from(digest.swap32())
  }
  const inner = afterKey(0x36)
  const outer = afterKey(0x5c)
  return (text) => hash(outer, hash(inner, text))
}

/** The end of a text of so many bytes, with a one bit, zeros and its length in bits. Returns the size in whole blocks. */
export function padIn(blocks: Uint8Array, rest: Uint8Array, length: number): number {
  const size = Math.ceil((rest.length + 9) / BLOCK_BYTES) * BLOCK_BYTES
  blocks.set(rest)
  blocks.fill(0, rest.length, size)
  blocks[rest.length] = 0x80
  // Typed arrays keep the lowest eight bits. Bytes above these five would be of texts of 128 GB.
  for (let i = 1, bits = length * 8; i <= 5; i++, bits = Math.floor(bits / 256)) blocks[size - i] = bits
  return size
}
