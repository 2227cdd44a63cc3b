/**
 * How the engine proves itself to the relay: any process of the user may listen at the engine's socket, but only one
 * that can read the state's key can make the MAC over the relay's challenge and the answer. The number of the process
 * is in it, which the relay learns from the kernel: nobody in the middle can pass on an answer to another question.
 */

import { createHmac } from 'node:crypto'
import type { Prove } from './protocol.ts'

export function proofFor(key: Uint8Array, challenge: Uint8Array, pid = process.pid): Prove {
  const number = Buffer.alloc(4)
  number.writeUInt32LE(pid)
  return (start, body) =>
    createHmac('sha256', key)
      .update(PURPOSE)
      .update(challenge)
      .update(number)
      .update(start)
      .update(body)
      .digest()
}

/** As `mac` of config/state-key.ts begins. */
const PURPOSE = 'engine\0'
