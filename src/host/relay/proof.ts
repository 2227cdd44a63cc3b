/**
 * How the engine proves itself to the relay: any process of the user may listen at the engine's socket, but only one
 * that can read the state's key can make the MAC over the relay's challenge and the answer. The number of the process
 * is in it, which the relay learns from the kernel: nobody in the middle can pass on an answer to another question.
 */

import { hash } from 'node:crypto'
import type { Prove } from './protocol.ts'

/** HMAC-SHA-256 by hand: Node's own makes a stream for each, which takes four times as long. */
export function createProver(key: Uint8Array, pid = process.pid): (challenge: Uint8Array) => Prove {
  const number = Buffer.alloc(4)
  number.writeUInt32LE(pid)
  const [inner, outer] = [padded(key, 0x36), padded(key, 0x5c)]
  return (challenge) => (start, body) => {
    const digest = sha256([inner, PURPOSE, challenge, number, start, body])
    return sha256([outer, digest])
  }
}

export function proofFor(key: Uint8Array, challenge: Uint8Array, pid?: number): Prove {
  return createProver(key, pid)(challenge)
}

/** As `mac` of config/state-key.ts begins. */
const PURPOSE = Buffer.from('engine\0')
const BLOCK_BYTES = 64

function padded(key: Uint8Array, filler: number): Buffer {
  const pad = Buffer.alloc(BLOCK_BYTES, filler)
  for (const [i, byte] of key.entries()) pad[i]! ^= byte
  return pad
}

function sha256(parts: readonly Uint8Array[]): Buffer {
  return hash('sha256', Buffer.concat(parts), 'buffer')
}
