/** A Sigstore of the test's own: an authority for certificates, both logs, and the root that trusts them. */

import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { initializeCA, initializeCTLog, initializeTLog } from '@sigstore/mock'

export interface Built {
  issuer: string
  repository: string
  workflow: string
  ref: string
  commit: string
}

export interface OwnSigstore {
  /** As `trusted_root.json`. */
  root: object
  /** A bundle that says who built the archive. */
  attest(subject: { name: string; archive: Buffer }, built: Built): Promise<object>
}

/** As Rekor answers. */
interface LogEntry {
  body: string
  integratedTime: number
  logID: string
  logIndex: number
  verification: {
    signedEntryTimestamp: string
    inclusionProof: { rootHash: string; checkpoint: string }
  }
}

const FULCIO = '1.3.6.1.4.1.57264.1'
const PAYLOAD_TYPE = 'application/vnd.in-toto+json'

export async function ownSigstore(): Promise<OwnSigstore> {
  const keys = (namedCurve = 'P-256') => generateKeyPairSync('ec', { namedCurve })
  const ctLog = await initializeCTLog(keys())
  const ca = await initializeCA(keys('P-384'), ctLog)
  const log = await initializeTLog('https://rekor.test', keys())
  const validFor = { start: new Date(Date.now() - 60_000).toISOString() }
  const trusted = (publicKey: Buffer, baseUrl: string) => ({
    baseUrl,
    hashAlgorithm: 'SHA2_256',
    publicKey: {
      rawBytes: publicKey.toString('base64'),
      keyDetails: 'PKIX_ECDSA_P256_SHA_256',
      validFor,
    },
    logId: { keyId: createHash('sha256').update(publicKey).digest('base64') },
  })
  return {
    root: {
      mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
      tlogs: [trusted(log.publicKey, 'https://rekor.test')],
      certificateAuthorities: [
        {
          subject: { organization: 'test', commonName: 'test' },
          uri: 'https://fulcio.test',
          certChain: { certificates: [{ rawBytes: bytesOf(ca.rootCertificate).toString('base64') }] },
          validFor,
        },
      ],
      ctlogs: [trusted(ctLog.publicKey, 'https://ctfe.test')],
      timestampAuthorities: [],
    },
    async attest({ name, archive }, { issuer, repository, workflow, ref, commit }) {
      const { privateKey, publicKey } = keys()
      const issued = await ca.issueCertificate({
        publicKey: publicKey.export({ format: 'der', type: 'spki' }),
        subjectAltName: `${repository}/${workflow}@${ref}`,
        extensions: [
          { oid: `${FULCIO}.8`, value: issuer },
          { oid: `${FULCIO}.12`, value: repository },
          { oid: `${FULCIO}.13`, value: commit },
        ],
      })
      const certificate = bytesOf(issued)
      const payload = Buffer.from(
        JSON.stringify({
          _type: 'https://in-toto.io/Statement/v1',
          subject: [{ name, digest: { sha512: createHash('sha512').update(archive).digest('hex') } }],
          predicateType: 'https://slsa.dev/provenance/v1',
          predicate: {},
        }),
      )
      const head = `DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `
      const signature = sign('sha256', Buffer.concat([Buffer.from(head), payload]), privateKey)
      const pem = `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
      const [entry] = Object.values(
        await log.log({
          apiVersion: '0.0.1',
          kind: 'dsse',
          spec: {
            payloadHash: { algorithm: 'sha256', value: createHash('sha256').update(payload).digest('hex') },
            signatures: [
              { signature: signature.toString('base64'), verifier: Buffer.from(pem).toString('base64') },
            ],
          },
        }),
      )
      const { body, integratedTime, logID, logIndex, verification } = entry as LogEntry
      const proof = verification.inclusionProof
      return {
        mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
        verificationMaterial: {
          certificate: { rawBytes: certificate.toString('base64') },
          tlogEntries: [
            {
              logIndex: String(logIndex),
              logId: { keyId: Buffer.from(logID, 'hex').toString('base64') },
              kindVersion: { kind: 'dsse', version: '0.0.1' },
              integratedTime: String(integratedTime),
              inclusionPromise: { signedEntryTimestamp: verification.signedEntryTimestamp },
              inclusionProof: {
                logIndex: '0',
                rootHash: Buffer.from(proof.rootHash, 'hex').toString('base64'),
                treeSize: '1',
                hashes: [],
                checkpoint: { envelope: proof.checkpoint },
              },
              canonicalizedBody: body,
            },
          ],
          timestampVerificationData: { rfc3161Timestamps: [] },
        },
        dsseEnvelope: {
          payload: payload.toString('base64'),
          payloadType: PAYLOAD_TYPE,
          signatures: [{ sig: signature.toString('base64'), keyid: '' }],
        },
      }
    },
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
