/** A key that replaces another: signed by the old key and accepted by the new one. */

import { CrosshookError } from '../spec/errors.ts'
import { isPublicKey, type PublicKey, type SigningKey } from './keys.ts'
import { sign, verify } from './signature.ts'

export interface Rotation {
  old: PublicKey
  new: PublicKey
  at: string
  /** By the old key, over everything before. */
  signature: string
  /** By the new key, over the same: nobody can hand a name to a key without its owner's consent. */
  accepted: string
}

export function rotate(old: SigningKey, young: SigningKey, at = new Date().toISOString()): Rotation {
  if (old.public === young.public)
    throw new CrosshookError('usage', 'a key cannot take its own place', { fix: 'Name two keys.' })
  const text = statement(old.public, young.public, at)
  return {
    old: old.public,
    new: young.public,
    at,
    signature: sign(old, 'rotation', text),
    accepted: sign(young, 'rotation', text),
  }
}

/** The key that a chain of rotations leads to; undefined when a link is invalid. */
export function followRotations(from: PublicKey, chain: readonly Rotation[], to: PublicKey): boolean {
  let now = from
  const seen = new Set([now])
  while (now !== to) {
    const next = chain.find((link) => link.old === now && isRotation(link))
    if (!next || seen.has(next.new)) return false
    now = next.new
    seen.add(now)
  }
  return true
}

export function isRotation(link: Rotation): boolean {
  const { old, new: young, at, signature, accepted } = link
  if (!isPublicKey(old) || !isPublicKey(young) || typeof at !== 'string') return false
  const text = statement(old, young, at)
  return verify(old, 'rotation', text, signature) && verify(young, 'rotation', text, accepted)
}

function statement(old: PublicKey, young: PublicKey, at: string): string {
  return JSON.stringify([old, young, at])
}
