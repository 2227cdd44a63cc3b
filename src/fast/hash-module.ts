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
