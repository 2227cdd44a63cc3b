/** Signatures made by `ssh-keygen -Y sign` (PROTOCOL.sshsig of OpenSSH). */

import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { CrosshookError } from '../spec/errors.ts'
import { publicKeyObject } from './keys.ts'

/** The namespace that a pack is signed under: `ssh-keygen -Y sign -n crosshook-pack`. */
export const SSH_NAMESPACE = 'crosshook-pack'

export interface SshKey {
  type: string
  /** The whole key in OpenSSH's form, for comparison. */
  blob: Buffer
  /** `SHA256:…`, as `ssh-keygen -l` prints it. */
  fingerprint: string
}

/** From a line `ssh-ed25519 AAAA… comment`. */
export function parseSshKey(line: string): SshKey {
  const [type = '', encoded = ''] = line.trim().split(/\s+/)
  const blob = Buffer.from(encoded, 'base64')
  const written = blob.length > 4 ? reader(blob).string().toString('latin1') : ''
  if (written !== type || !Object.hasOwn(KEYS, type))
    throw new CrosshookError(
      'bad_input',
      `${JSON.stringify(line.slice(0, 40))} is not a key that is known here`,
      {
        fix: `Give a line of a .pub file whose type is one of: ${Object.keys(KEYS).join(', ')}.`,
      },
    )
  KEYS[type]!(blob)
  return sshKey(type, blob)
}

/** The key that made the signature over these bytes in this namespace; undefined when it is invalid. */
export function verifySsh(bytes: Uint8Array, armored: string, namespace = SSH_NAMESPACE): SshKey | undefined {
  try {
    return check(Buffer.from(bytes), armored, namespace)
  } catch {
    return undefined // truncated, or not a signature of this kind
  }
}

const ARMOR = /^-----BEGIN SSH SIGNATURE-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END SSH SIGNATURE-----\r?\n?$/
const HASHES = new Set(['sha256', 'sha512'])

function check(bytes: Buffer, armored: string, namespace: string): SshKey | undefined {
  const body = ARMOR.exec(armored)?.[1]
  if (body === undefined) return undefined
  const whole = reader(Buffer.from(body, 'base64'))
  if (whole.bytes(6).toString('latin1') !== 'SSHSIG' || whole.number() !== 1) return undefined
  const blob = whole.string()
  const [signedFor, reserved, hash] = [whole.string(), whole.string(), whole.string().toString('latin1')]
  const signature = reader(whole.string())
  if (!whole.atEnd() || signedFor.toString('utf8') !== namespace || !HASHES.has(hash)) return undefined
  const type = reader(blob).string().toString('latin1')
  const key = Object.hasOwn(KEYS, type) ? KEYS[type]!(blob) : undefined
  const algorithm = signature.string().toString('latin1')
  const scheme = Object.hasOwn(SCHEMES, algorithm) ? SCHEMES[algorithm] : undefined
  if (!key || !scheme?.keys.includes(type)) return undefined
  const message = Buffer.concat([
    Buffer.from('SSHSIG'),
    field(signedFor),
    field(reserved),
    field(Buffer.from(hash)),
    field(createHash(hash).update(bytes).digest()),
  ])
  const proof = signature.string()
  return signature.atEnd() && scheme.holds(message, key, proof) ? sshKey(type, blob) : undefined
}

/** How each type of key is written. */
const KEYS: Readonly<Record<string, (blob: Buffer) => KeyObject>> = {
  'ssh-ed25519': (blob) => publicKeyObject(fields(blob, 2)[1]!),
  'ecdsa-sha2-nistp256': (blob) => ecdsa(blob, 'P-256'),
  'ecdsa-sha2-nistp384': (blob) => ecdsa(blob, 'P-384'),
  'ecdsa-sha2-nistp521': (blob) => ecdsa(blob, 'P-521'),
  'ssh-rsa': (blob) => {
    const [, e, n] = fields(blob, 3) as [Buffer, Buffer, Buffer]
    const unsigned = (number: Buffer) => (number[0] === 0 ? number.subarray(1) : number)
    if (unsigned(n).length < MIN_RSA_BYTES) throw new Error('too short')
    const part = (number: Buffer) => unsigned(number).toString('base64url')
    return createPublicKey({ key: { kty: 'RSA', e: part(e), n: part(n) }, format: 'jwk' })
  },
}

const MIN_RSA_BYTES = 256

interface Scheme {
  keys: readonly string[]
  holds(message: Buffer, key: KeyObject, proof: Buffer): boolean
}

const SCHEMES: Readonly<Record<string, Scheme>> = {
  'ssh-ed25519': { keys: ['ssh-ed25519'], holds: (message, key, proof) => verify(null, message, key, proof) },
  'rsa-sha2-256': rsa('sha256'),
  'rsa-sha2-512': rsa('sha512'),
  'ecdsa-sha2-nistp256': ecdsaScheme('ecdsa-sha2-nistp256', 'sha256', 32),
  'ecdsa-sha2-nistp384': ecdsaScheme('ecdsa-sha2-nistp384', 'sha384', 48),
  'ecdsa-sha2-nistp521': ecdsaScheme('ecdsa-sha2-nistp521', 'sha512', 66),
}

function rsa(hash: string): Scheme {
  return { keys: ['ssh-rsa'], holds: (message, key, proof) => verify(hash, message, key, proof) }
}

function ecdsaScheme(type: string, hash: string, size: number): Scheme {
  return {
    keys: [type],
    holds(message, key, proof) {
      const parts = fields(proof, 2).map((part) => {
        const number = part[0] === 0 ? part.subarray(1) : part
        if (number.length > size) throw new Error('too long')
        return Buffer.concat([Buffer.alloc(size - number.length), number])
      })
      return verify(hash, message, { key, dsaEncoding: 'ieee-p1363' }, Buffer.concat(parts))
    },
  }
}

function ecdsa(blob: Buffer, curve: string): KeyObject {
  const point = fields(blob, 3)[2]!
  const size = (point.length - 1) / 2
  if (point[0] !== 4 || !Number.isInteger(size)) throw new Error('not a whole point')
  const part = (from: number) => point.subarray(from, from + size).toString('base64url')
  return createPublicKey({ key: { kty: 'EC', crv: curve, x: part(1), y: part(1 + size) }, format: 'jwk' })
}

function sshKey(type: string, blob: Buffer): SshKey {
  const digest = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')
  return { type, blob, fingerprint: `SHA256:${digest}` }
}

function field(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** Exactly the given number of strings, and nothing after them. */
function fields(blob: Buffer, count: number): Buffer[] {
  const read = reader(blob)
  const found = Array.from({ length: count }, () => read.string())
  if (!read.atEnd()) throw new Error('too long')
  return found
}

function reader(blob: Buffer) {
  let at = 0
  const bytes = (length: number): Buffer => {
    if (at + length > blob.length) throw new Error('cut off')
    at += length
    return blob.subarray(at - length, at)
  }
  const number = () => bytes(4).readUInt32BE()
  return { bytes, number, string: () => bytes(number()), atEnd: () => at === blob.length }
}
