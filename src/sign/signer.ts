/**
 * Who signed something, in one comparable text form: a key of crosshook, minisign or SSH, or a workflow that built it.
 */

import { CrosshookError } from '../spec/errors.ts'
import { identityWords, parseIdentity } from './build-identity.ts'
import { isPublicKey, keyId } from './keys.ts'
import { parseMinisignKey, verifyMinisign } from './minisign.ts'
import { type SignedFor, verify } from './signature.ts'
import { parseSshKey, SSH_NAMESPACE, verifySsh } from './ssh.ts'

/** `ed25519:…`, `minisign:RW…`, `ssh-…:AAAA…` or `sigstore:…`; equal texts are the same key or workflow. */
export type Signer = string

interface SignerKind {
  /** The written form, from any text in which people have such a key. */
  parse(text: string): Signer | undefined
  id(signer: Signer): string
  /** What it is, for people; a key unless said. */
  what?: string
  verifies(signer: Signer, purpose: SignedFor, bytes: Uint8Array, signature: string): boolean
}

export const SIGNER_KINDS: Readonly<Record<string, SignerKind>> = {
  crosshook: {
    parse: (text) => (isPublicKey(text) ? text : undefined),
    id: keyId,
    verifies: (signer, purpose, bytes, signature) => verify(signer, purpose, bytes, signature.trim()),
  },
  minisign: {
    parse(text) {
      const line = text
        .replace(/^minisign:/, '')
        .split(/\r?\n/)
        .at(-1)!
      if (!/^RW[A-Za-z0-9+/]{54}$/.test(line)) return undefined
      parseMinisignKey(line)
      return `minisign:${line}`
    },
    id: (signer) => parseMinisignKey(signer.slice('minisign:'.length)).id.toLowerCase(),
    verifies: (signer, _, bytes, signature) =>
      verifyMinisign(parseMinisignKey(signer.slice('minisign:'.length)), bytes, signature) !== undefined,
  },
  ssh: {
    parse(text) {
      const [type, blob] = text.split(/[\s:]+/)
      if (!/^(?:ssh|ecdsa)-[a-z0-9-]+$/.test(type ?? '') || blob === undefined) return undefined
      const key = parseSshKey(`${type} ${blob}`)
      return `${key.type}:${key.blob.toString('base64')}`
    },
    id: (signer) => parseSshKey(signer.replace(':', ' ')).fingerprint,
    verifies(signer, purpose, bytes, signature) {
      if (purpose !== 'pack') return false
      const made = verifySsh(bytes, signature, SSH_NAMESPACE)
      return made !== undefined && `${made.type}:${made.blob.toString('base64')}` === signer
    },
  },
  sigstore: {
    parse: (text) => (parseIdentity(text) ? text : undefined),
    id: identityWords,
    what: 'workflow',
    // Its proof is not in the pack: see provenance.ts.
    verifies: () => false,
  },
}

export interface KnownSigner {
  kind: string
  what: string
  signer: Signer
  id: string
}

/** Throws when the text is not a key of any kind. */
export function parseSigner(text: string): KnownSigner {
  const given = text.trim()
  for (const [kind, { parse, id, what = 'key' }] of Object.entries(SIGNER_KINDS)) {
    const signer = parse(given)
    if (signer !== undefined) return { kind, what, signer, id: id(signer) }
  }
  throw new CrosshookError('bad_input', `${JSON.stringify(given.slice(0, 60))} is not a public key`, {
    fix: 'Give a key of crosshook (ed25519:…), the line of a minisign .pub file (RW…), a line of an SSH .pub file, or a workflow (sigstore:ISSUER#REPOSITORY#WORKFLOW).',
  })
}

/** Is it a key in its written form? */
export function isSigner(text: string): boolean {
  try {
    return Object.values(SIGNER_KINDS).some(({ parse }) => parse(text) === text)
  } catch {
    return false // begins like a key, but is not one
  }
}

/** Is this signature by this key, over these bytes, for this purpose? */
export function isSignedBy(
  signer: Signer,
  purpose: SignedFor,
  bytes: Uint8Array,
  signature: unknown,
): boolean {
  const { kind, signer: known } = parseSigner(signer)
  return typeof signature === 'string' && SIGNER_KINDS[kind]!.verifies(known, purpose, bytes, signature)
}
