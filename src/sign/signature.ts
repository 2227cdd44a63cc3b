/** Signatures over bytes, each for one purpose: a signature for one purpose is invalid for another. */

import { sign as ed25519Sign, verify as ed25519Verify } from 'node:crypto'
import { type PublicKey, publicBytes, publicKeyObject, type SigningKey } from './keys.ts'

/** What a signature is for. A new use is a new row. */
export const SIGNED_FOR = {
  pack: 'the archive of a pack',
  index: 'an index of packs',
  rotation: 'a key that takes the place of the one that signs',
  bundle: 'the policy that a hub gives to its machines',
  rollout: 'which bundle which machines get',
  edge: 'a request of a machine to its hub',
  answer: "a person's answer to a question",
  grant: 'a permission that a person has given in advance',
} as const satisfies Record<string, string>

export type SignedFor = keyof typeof SIGNED_FOR

const SIGNATURE_BYTES = 64
const FORM = /^[A-Za-z0-9_-]{86}$/

/** 86 characters of base64url. */
export function sign(key: SigningKey, purpose: SignedFor, bytes: Uint8Array | string): string {
  return ed25519Sign(null, message(purpose, bytes), key.secret).toString('base64url')
}

/** False also when it is not a signature at all. Throws only when `key` is not a public key. */
export function verify(
  key: PublicKey,
  purpose: SignedFor,
  bytes: Uint8Array | string,
  signature: unknown,
): boolean {
  const known = publicKeyObject(publicBytes(key))
  if (typeof signature !== 'string' || !FORM.test(signature)) return false
  const raw = Buffer.from(signature, 'base64url')
  if (raw.length !== SIGNATURE_BYTES || raw.toString('base64url') !== signature) return false
  return ed25519Verify(null, message(purpose, bytes), known, raw)
}

/** No purpose contains a zero byte, so no message for one is also a message for another. */
function message(purpose: SignedFor, bytes: Uint8Array | string): Buffer {
  const content = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  return Buffer.concat([Buffer.from(`crosshook signature 1\0${purpose}\0`), content])
}
