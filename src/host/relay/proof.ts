/**
 * How the engine proves itself to the relay: any process of the user may listen at the engine's socket, but only one
 * that can read the state's key can make the MAC over the relay's challenge and the answer. The number of the process
 * is in it, which the relay learns from the kernel: nobody in the middle can pass on an answer to another question.
 */

import { hash } from 'node:crypto'
import { hmacWith } from '../../fast/hmac.ts'
import type { Prove } from './protocol.ts'

export function createProver(key: Uint8Array, pid = process.pid): (challenge: Uint8Array) => Prove {
  const number = Buffer.alloc(4)
  number.writeUInt32LE(pid)
  const mac = hmacWith(hash, key)
  return (challenge) => (start, body) => mac([PURPOSE, challenge, number, start, body])
}

export function proofFor(key: Uint8Array, challenge: Uint8Array, pid?: number): Prove {
  return createProver(key, pid)(challenge)
}

/** As `mac` of config/state-key.ts begins. */
const PURPOSE = Buffer.from('engine\0')
