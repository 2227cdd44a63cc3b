/**
 * A MAC over hundreds of kilobytes in a new process: it takes a third of a millisecond for 300 KB, the time in which SHA-256
 * in WebAssembly gets through 8; `node:crypto` takes 6 ms to load. The slow twin is in nh.test.ts.
 *
 * It is hash-then-PRF, as in UMAC (RFC 4418). The data, filled up with zeros, is cut into blocks of 512 bytes; NH makes 16
 * bytes of each, as the first layer of UMAC-64 does: two sums of 64 bits, the second with the key moved on by 16 bytes. The
 * sums are hashed in the same way once more, with another key. The MAC is HMAC-SHA-256 of what that leaves, the length and a
 * label. Two different texts of one length are the same after one layer with a probability of 2^-64 at most (Black, Halevi,
 * Krawczyk, Krovetz, Rogaway: UMAC, 1999), after both of 2^-63, whatever they are, as long as they are chosen without the
 * key; texts of two lengths differ in what HMAC is given. Whoever has seen MACs but not the key learns nothing from them
 * about the keys of NH, because HMAC hides the sums. The keys of NH are made of an HMAC with its own label, by SHA-256 in
 * counter mode.
 */

import { BLOCKS, type HashModule, hashModule, NH_KEY, NH_SUMS, PIECE, padIn, STATE } from './hash-module.ts'
import { moduleHmac } from './module-hmac.ts'
import { INITIAL } from './sha256-script.ts'

const NH_BLOCK_BYTES = 512
const NH_SUM_BYTES = 16
export const NH_KEY_BYTES = NH_BLOCK_BYTES + 16
const LAYERS = 2

/** 32 bytes for a label and data. The label must not end in a zero byte. */
export type Mac = (label: string, data: Uint8Array) => Buffer

/** Undefined without WebAssembly. The key has 32 bytes. */
export function macWith(key: Uint8Array): Mac | undefined {
  if (last && isSame(last.key, key)) return last.mac
  const module = hashModule()
  if (!module) return undefined
  const hmac = moduleHmac(module, key)
  const nhKeys = expand(module, hmac(Buffer.from('nh key')))
  const first = nhKeys.subarray(0, NH_KEY_BYTES)
  const second = nhKeys.subarray(NH_KEY_BYTES)
  const mac: Mac = (label, data) => {
    const start = Buffer.from(`nh 2\0${label}\0${data.length}\0`)
    return hmac(Buffer.concat([start, layer(module, second, layer(module, first, data))]))
  }
  last = { key: Uint8Array.from(key), mac }
  return mac
}

/** A cold call needs one key, for what it loads and for the plan. */
let last: { key: Uint8Array; mac: Mac } | undefined

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  let difference = 0
  for (let i = 0; i < one.length; i++) difference |= one[i]! ^ other[i]!
  return difference === 0
}

/** The sums of all blocks. */
function layer(module: HashModule, key: Uint8Array, data: Uint8Array): Uint8Array {
  const { buffer } = module.memory
  new Uint8Array(buffer, NH_KEY, NH_KEY_BYTES).set(key)
  const blocks = new Uint8Array(buffer, BLOCKS, PIECE)
  const sums = Buffer.allocUnsafe(Math.ceil(data.length / NH_BLOCK_BYTES) * NH_SUM_BYTES)
  for (let at = 0; at < data.length; at += PIECE) {
    const piece = data.subarray(at, at + PIECE)
    const whole = Math.ceil(piece.length / NH_BLOCK_BYTES)
    blocks.set(piece)
    blocks.fill(0, piece.length, whole * NH_BLOCK_BYTES)
    module.nh(whole * NH_BLOCK_BYTES)
    sums.set(new Uint8Array(buffer, NH_SUMS, whole * NH_SUM_BYTES), (at / NH_BLOCK_BYTES) * NH_SUM_BYTES)
  }
  return sums
}

/** SHA-256 in counter mode: one block of the key and a counter each; the padding is written once. */
function expand(module: HashModule, key: Uint8Array): Uint8Array {
  const { buffer } = module.memory
  const state = new Int32Array(buffer, STATE, 8)
  const block = new Uint8Array(buffer, BLOCKS, 64)
  padIn(block, Buffer.concat([key, Buffer.alloc(1)]), key.length + 1)
  const words = new Int32Array(Math.ceil((LAYERS * NH_KEY_BYTES) / 32) * 8)
  for (let i = 0; i * 8 < words.length; i++) {
    block[key.length] = i
    state.set(INITIAL)
    module.run(64)
    words.set(state, i * 8)
  }
  return new Uint8Array(words.buffer, 0, LAYERS * NH_KEY_BYTES)
}
