/** Signatures made by minisign or signify-like tools: https://jedisct1.github.io/minisign/#signature-format */

import { createHash, verify } from 'node:crypto'
import { CrosshookError } from '../spec/errors.ts'
import { type PublicKey, publicForm, publicKeyObject } from './keys.ts'

export interface MinisignKey {
  /** 8 bytes, as hexadecimal digits in the order in which minisign prints them. */
  id: string
  key: PublicKey
}

const ID_BYTES = 8
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64

/** From the whole file, or from the line that begins with RW. */
export function parseMinisignKey(text: string): MinisignKey {
  const line = text.trim().split(/\r?\n/).at(-1) ?? ''
  const bytes = strictBase64(line, 2 + ID_BYTES + KEY_BYTES)
  if (bytes?.toString('latin1', 0, 2) !== 'Ed')
    throw new CrosshookError('bad_input', 'this is not a public key of minisign', {
      fix: 'Give the line of the .pub file that begins with RW.',
    })
  const raw = bytes.subarray(2 + ID_BYTES)
  publicKeyObject(raw)
  return { id: idWords(bytes.subarray(2, 2 + ID_BYTES)), key: publicForm(raw) }
}

export interface MinisignProof {
  key: PublicKey
  /** What the signer says about the file, signed as well. */
  comment: string
}

/** Undefined when the signature is not by this key over these bytes, or its comment was changed. */
export function verifyMinisign(
  { id, key }: MinisignKey,
  bytes: Uint8Array,
  signature: string,
): MinisignProof | undefined {
  const [, first = '', third = '', last = '', ...more] = signature.replace(/\n$/, '').split(/\r?\n/)
  const head = strictBase64(first, 2 + ID_BYTES + SIGNATURE_BYTES)
  const whole = strictBase64(last, SIGNATURE_BYTES)
  const comment = /^trusted comment: (.*)$/s.exec(third)?.[1]
  if (!head || !whole || comment === undefined || more.length > 0) return undefined
  if (idWords(head.subarray(2, 2 + ID_BYTES)) !== id) return undefined
  const algorithm = head.toString('latin1', 0, 2)
  const signed =
    algorithm === 'ED'
      ? createHash('blake2b512').update(bytes).digest()
      : algorithm === 'Ed'
        ? Buffer.from(bytes)
        : undefined
  if (!signed) return undefined
  const proof = head.subarray(2 + ID_BYTES)
  const known = publicKeyObject(Buffer.from(key.slice(8), 'base64url'))
  const isBoth =
    verify(null, signed, known, proof) &&
    verify(null, Buffer.concat([proof, Buffer.from(comment)]), known, whole)
  return isBoth ? { key, comment } : undefined
}

/** minisign prints the id as one number, of which the file holds the lowest byte first. */
function idWords(bytes: Uint8Array): string {
  return Buffer.from(bytes).reverse().toString('hex').toUpperCase()
}

function strictBase64(text: string, length: number): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === length && bytes.toString('base64') === text ? bytes : undefined
}
