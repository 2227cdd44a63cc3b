/** Secrets that people and machines present; the hub stores only hashes. */

import { createHash, randomBytes } from 'node:crypto'

export function newSecret(): string {
  return randomBytes(24).toString('base64url')
}

/** Secrets are random and long, so a plain hash is as good as a slow one. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

export function newId(): string {
  return randomBytes(9).toString('hex')
}
