/** `PACK.sig` beside PACK.md: signatures over the bytes of this pack in this version. */

import type { SigningKey } from '../sign/keys.ts'
import { isRotation, type Rotation } from '../sign/rotation.ts'
import { sign } from '../sign/signature.ts'
import { isSignedBy, parseSigner, type Signer } from '../sign/signer.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { contentDigest, type PackFile } from './files.ts'
import type { Manifest } from './manifest.ts'

export const SIGNATURE_FILE = 'PACK.sig'
const MAX_BYTES = 64 * 1024
const MAX_SIGNATURES = 16

export interface PackSignatures {
  signatures: { signer: Signer; signature: string }[]
  /** How the current key replaced earlier ones. */
  rotations: Rotation[]
}

export const NO_SIGNATURES: PackSignatures = { signatures: [], rotations: [] }

/** Everything but the signatures themselves. */
export function packContent(files: readonly PackFile[]): string {
  return contentDigest(files.filter(({ path }) => path !== SIGNATURE_FILE))
}

/** The text that is signed, with any tool. */
export function statement({ name, version }: Pick<Manifest, 'name' | 'version'>, content: string): Buffer {
  return Buffer.from(`crosshook pack 1\nname ${name}\nversion ${version}\ncontent sha256:${content}\n`)
}

export function signPack(
  key: SigningKey,
  about: Pick<Manifest, 'name' | 'version'>,
  content: string,
): PackSignatures['signatures'][number] {
  return { signer: key.public, signature: sign(key, 'pack', statement(about, content)) }
}

export function writeSignatures(found: PackSignatures): Buffer {
  return Buffer.from(`${JSON.stringify({ version: 1, ...found }, null, 2)}\n`)
}

/** Empty when there is no such file. An unreadable file or an invalid signature is an error. */
export function readSignatures(
  files: readonly PackFile[],
  about: Pick<Manifest, 'name' | 'version'>,
): PackSignatures {
  const file = files.find(({ path }) => path === SIGNATURE_FILE)
  if (!file) return NO_SIGNATURES
  const found = parse(file.bytes)
  const text = statement(about, packContent(files))
  for (const { signer, signature } of found.signatures)
    if (!isSignedBy(signer, 'pack', text, signature))
      throw bad(`the signature by ${parseSigner(signer).id} does not hold for its bytes`)
  if (!found.rotations.every(isRotation)) throw bad('a change of keys in it is not signed by both keys')
  return found
}

function parse(bytes: Buffer): PackSignatures {
  if (bytes.length > MAX_BYTES) throw bad('it is too large')
  let found: { version?: unknown; signatures?: unknown; rotations?: unknown }
  try {
    found = JSON.parse(bytes.toString('utf8')) as typeof found
  } catch (error) {
    throw bad(messageOf(error))
  }
  const { version, signatures, rotations = [] } = found ?? {}
  const isList = (value: unknown): value is object[] =>
    Array.isArray(value) &&
    value.length <= MAX_SIGNATURES &&
    value.every((each) => typeof each === 'object' && each !== null)
  if (version !== 1 || !isList(signatures) || !isList(rotations)) throw bad('it is not what crosshook writes')
  const rows = signatures as { signer?: unknown; signature?: unknown }[]
  if (rows.some(({ signer, signature }) => typeof signer !== 'string' || typeof signature !== 'string'))
    throw bad('it is not what crosshook writes')
  return {
    signatures: rows.map(({ signer, signature }) => ({
      signer: parseSigner(signer as string).signer,
      signature: signature as string,
    })),
    rotations: rotations as Rotation[],
  }
}

function bad(why: string): CrosshookError {
  return new CrosshookError('refused', `${SIGNATURE_FILE} of the pack is wrong: ${why}`, {
    fix: 'Nothing was written. Fetch it again; if that does not help, tell whoever published it.',
  })
}
