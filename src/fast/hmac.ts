/**
 * HMAC-SHA-256 with one key, many times: the key's blocks are made once, without a `node:crypto` object per call. Takes
 * a tenth of the time of its slow twin `createHmac` in the warm engine, which needs two per event (bench/race.ts).
 */

/** `hash` of `node:crypto` is one. */
type Hash = (algorithm: 'sha256', data: Uint8Array, encoding: 'buffer') => Uint8Array

const BLOCK_BYTES = 64
const HASH_BYTES = 32

/** Bytes that are given to `after` begin with so many unused ones. */
export const MAC_START = BLOCK_BYTES

export interface Hmac {
  (parts: readonly Uint8Array[]): Buffer
  /** Of what follows the first MAC_START bytes, which it overwrites: nothing is copied. */
  after(bytes: Uint8Array): Buffer
}

/** The key has at most one block (64 bytes). */
export function hmacWith(hash: Hash, key: Uint8Array): Hmac {
  const inner = padded(key, 0x36)
  const outer = Buffer.concat([padded(key, 0x5c), Buffer.alloc(HASH_BYTES)])
  const after = (bytes: Uint8Array) => {
    bytes.set(inner)
    outer.set(hash('sha256', bytes, 'buffer'), BLOCK_BYTES)
    return hash('sha256', outer, 'buffer') as Buffer
  }
  return Object.assign((parts: readonly Uint8Array[]) => after(joined(parts)), { after })
}

/** `Buffer.concat` would read each part twice more. */
function joined(parts: readonly Uint8Array[]): Buffer {
  let size = BLOCK_BYTES
  for (let i = 0; i < parts.length; i++) size += parts[i]!.length
  const bytes = Buffer.allocUnsafe(size)
  for (let i = 0, at = BLOCK_BYTES; i < parts.length; at += parts[i++]!.length) bytes.set(parts[i]!, at)
  return bytes
}

function padded(key: Uint8Array, filler: number): Buffer {
  const pad = Buffer.alloc(BLOCK_BYTES, filler)
  for (const [i, byte] of key.entries()) pad[i]! ^= byte
  return pad
}
