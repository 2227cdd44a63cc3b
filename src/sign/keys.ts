/** Ed25519 keys: creation, one-line text form, short id. */

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'
import { CrosshookError } from '../spec/errors.ts'

/** `ed25519:` and the 32 bytes of the key in base64url, without padding. */
export type PublicKey = string

export interface SigningKey {
  public: PublicKey
  secret: KeyObject
}

const PUBLIC_FORM = /^ed25519:[A-Za-z0-9_-]{43}$/
const KEY_BYTES = 32
/** DER prefix of the 32 bytes of a key (RFC 8410). */
const PUBLIC_DER = Buffer.from('302a300506032b6570032100', 'hex')
const SECRET_DER = Buffer.from('302e020100300506032b657004220420', 'hex')

export function newKey(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { public: publicForm(rawOf(publicKey)), secret: privateKey }
}

/** From the 32 bytes that `secretBytes` gives. */
export function keyFromSecret(secret: Uint8Array): SigningKey {
  if (secret.length !== KEY_BYTES) throw new CrosshookError('bad_input', 'a secret key has 32 bytes')
  const key = createPrivateKey({ key: Buffer.concat([SECRET_DER, secret]), format: 'der', type: 'pkcs8' })
  return { public: publicForm(rawOf(createPublicKey(key))), secret: key }
}

export function secretBytes({ secret }: SigningKey): Buffer {
  return secret.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES)
}

export function publicForm(raw: Uint8Array): PublicKey {
  return `ed25519:${Buffer.from(raw).toString('base64url')}`
}

/** The 32 bytes. Throws for anything but the exact written form. */
export function publicBytes(key: PublicKey): Buffer {
  const raw = PUBLIC_FORM.test(key) ? Buffer.from(key.slice(8), 'base64url') : undefined
  // The last base64 digit has unused bits, so a key could otherwise be written in four ways.
  if (raw?.length !== KEY_BYTES || publicForm(raw) !== key)
    throw new CrosshookError('bad_input', `${JSON.stringify(key.slice(0, 80))} is not a public key`, {
      fix: 'A public key is written ed25519: and 43 characters, as `crosshook key show` prints it.',
    })
  return refuseWeak(raw)
}

export function isPublicKey(text: unknown): text is PublicKey {
  try {
    return typeof text === 'string' && publicBytes(text).length === KEY_BYTES
  } catch {
    return false
  }
}

export function publicKeyObject(raw: Uint8Array): KeyObject {
  return createPublicKey({
    key: Buffer.concat([PUBLIC_DER, refuseWeak(Buffer.from(raw))]),
    format: 'der',
    type: 'spki',
  })
}

/** 16 hexadecimal digits, for people and file names. Decisions compare whole keys. */
export function keyId(key: PublicKey): string {
  return createHash('sha256').update(publicBytes(key)).digest('hex').slice(0, 16)
}

export function isSameKey(one: PublicKey, other: PublicKey): boolean {
  return timingSafeEqual(publicBytes(one), publicBytes(other))
}

/** Points of small order, by their y without the sign bit: anybody can make signatures "by" them. */
const WEAK_Y = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
])

function refuseWeak(raw: Buffer): Buffer {
  const y = Buffer.from(raw)
  y[KEY_BYTES - 1]! &= 0x7f
  if (raw.length !== KEY_BYTES || WEAK_Y.has(y.toString('hex')))
    throw new CrosshookError('bad_input', 'this public key proves nothing: anybody can sign with it', {
      fix: 'Ask its owner for a key made by `crosshook key new`.',
    })
  return raw
}

function rawOf(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES)
}
