/**
 * Provenance in Sigstore's form: a certificate says which workflow built it, its key signed a statement about the bytes, and
 * public logs have seen both. Verified by Sigstore's own library, against a trusted root that is given.
 * Large: it is loaded when there is a provenance.
 */

import { bundleFromJSON } from '@sigstore/bundle'
import { TrustedRoot } from '@sigstore/protobuf-specs'
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { parseIdentity, writeIdentity } from './build-identity.ts'
import type { Signer } from './signer.ts'

export interface Provenance {
  signer: Signer
  repository: string
  workflow: string
  /** Of the sources that were built. */
  commit?: string
}

export interface Subject {
  /** A package URL: `pkg:npm/%40acme/guards@1.0.0`. */
  name: string
  /** Hexadecimal. */
  sha512: string
}

/** Extensions of Fulcio's certificates: https://github.com/sigstore/fulcio/blob/main/docs/oid-info.md */
const FULCIO = '1.3.6.1.4.1.57264.1'
const ISSUER = `${FULCIO}.8`
const SOURCE_REPOSITORY = `${FULCIO}.12`
const SOURCE_COMMIT = `${FULCIO}.13`
const PROVENANCE = /^https:\/\/slsa\.dev\/provenance\/v\d/
const IN_TOTO = 'application/vnd.in-toto+json'

/** Throws unless the bundle proves, by this root, who built exactly these bytes. */
export function verifyProvenance(bundle: unknown, trustedRoot: unknown, subject: Subject): Provenance {
  let root: TrustedRoot
  try {
    root = TrustedRoot.fromJSON(trustedRoot)
    const { tlogs, ctlogs, certificateAuthorities } = root
    if ([tlogs, ctlogs, certificateAuthorities].some(({ length }) => length === 0))
      throw new Error('it names no authority or no log')
  } catch (error) {
    throw refused(`the trusted root cannot be used: ${messageOf(error)}`)
  }
  try {
    const given = bundleFromJSON(bundle)
    // Seen by the log of certificates, by the log of signatures, and at a time that one of them vouches for.
    const verifier = new Verifier(toTrustMaterial(root), {
      ctlogThreshold: 1,
      tlogThreshold: 1,
      timestampThreshold: 1,
    })
    const { identity } = verifier.verify(toSignedEntity(given))
    if (given.content.$case !== 'dsseEnvelope') throw new Error('it holds no statement')
    const { payload, payloadType } = given.content.dsseEnvelope
    checkStatement(payload, payloadType, subject)
    return provenanceOf(identity)
  } catch (error) {
    throw refused(messageOf(error))
  }
}

function checkStatement(payload: Uint8Array, payloadType: string, { name, sha512 }: Subject): void {
  if (payloadType !== IN_TOTO) throw new Error(`it is a statement of another kind: ${payloadType}`)
  const { predicateType, subject } = JSON.parse(Buffer.from(payload).toString('utf8')) as {
    predicateType?: unknown
    subject?: { name?: unknown; digest?: { sha512?: unknown } }[]
  }
  if (typeof predicateType !== 'string' || !PROVENANCE.test(predicateType))
    throw new Error('it does not say how something was built')
  const [only, ...more] = Array.isArray(subject) ? subject : []
  if (only?.name !== name || more.length > 0)
    throw new Error(`it is about ${String(only?.name)}, and this is ${name}`)
  if (only.digest?.sha512 !== sha512) throw new Error('it is about other bytes')
}

interface Identity {
  subjectAlternativeName?: string
  oids?: { oid?: { id: number[] } | undefined; value: Uint8Array }[]
}

/** The repository counts beside the workflow: anybody may call a workflow that was made for others to use. */
function provenanceOf({ subjectAlternativeName: name = '', oids = [] }: Identity = {}): Provenance {
  const extension = (id: string) => utf8Of(oids.find(({ oid }) => oid?.id.join('.') === id)?.value)
  const [issuer, repository, commit] = [ISSUER, SOURCE_REPOSITORY, SOURCE_COMMIT].map(extension)
  const [file = '', ref] = name.split('@')
  if (issuer === undefined || repository === undefined || ref === undefined)
    throw new Error('its certificate names no workflow of a repository')
  const workflow = file.startsWith(`${repository}/`) ? file.slice(repository.length + 1) : file
  const signer = writeIdentity({ issuer, repository, workflow })
  if (!parseIdentity(signer)) throw new Error('its certificate names a workflow that cannot be written down')
  return { signer, repository, workflow, ...(commit === undefined ? {} : { commit }) }
}

/** A UTF8String of DER with a length of one or two bytes; there is nothing longer in these certificates. */
function utf8Of(value: Uint8Array | undefined): string | undefined {
  if (value?.[0] !== 0x0c) return undefined
  const [start, length] = value[1]! < 0x80 ? [2, value[1]!] : value[1] === 0x81 ? [3, value[2]!] : [0, -1]
  return value.length === start + length ? Buffer.from(value.subarray(start)).toString('utf8') : undefined
}

function refused(why: string): CrosshookError {
  return new CrosshookError('refused', `its provenance does not hold: ${why}`, {
    fix: 'Nothing was written. Tell its author. If Sigstore has new keys since this version of crosshook: see "Provenance" in docs/packs.md.',
  })
}
