/**
 * The WebAssembly module behind sha256.ts and nh.ts, compiled once per process, which takes half a millisecond. The
 * command line takes it from its launcher, which needs it first (tools/build.ts).
 */

import { HASH_MODULE } from './gen/hash-module.ts'

export interface HashModule {
  memory: { buffer: ArrayBuffer }
  /** SHA-256 of `length` bytes at BLOCKS, whole blocks of 64, into STATE. */
  run(length: number): void
  /** NH of `length` bytes at BLOCKS, whole blocks of 512, into NH_SUMS. */
  nh(length: number): void
}

/** Offsets in the module's memory, in bytes: see tools/hash-module.ts. */
export const STATE = 256
export const BLOCKS = 576
export const NH_KEY = 33_792
export const NH_SUMS = 34_320
/** Bytes passed at once: whole blocks, and less than the memory holds. */
export const PIECE = 32 * 1024
/** Of them for text, when padding follows: a block is left for it. */
export const ROOM = PIECE - 64

/** Not declared in Node's types. */
interface WebAssemblyHere {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: HashModule }
}

let compiled: HashModule | 'none' | undefined

/** Undefined when WebAssembly is disabled or there is no address space for its memory. */
export function hashModule(): HashModule | undefined {
  compiled ??= compile()
  return compiled === 'none' ? undefined : compiled
}

function compile(): HashModule | 'none' {
  try {
    const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyHere }).WebAssembly
    return new Instance(new Module(Buffer.from(HASH_MODULE, 'base64'))).exports
  } catch {
    return 'none'
  }
}

const BLOCK_BYTES = 64

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

/** The words of the state as bytes, the highest first. Not by swap32(), which Node compiles at its first use. */
export function digestIn({ memory }: HashModule): Buffer {
  const words = new Uint8Array(memory.buffer, STATE, 32)
  const digest = Buffer.allocUnsafe(32)
  for (let i = 0; i < 32; i++) digest[i] = words[i ^ 3]!
  return digest
}
