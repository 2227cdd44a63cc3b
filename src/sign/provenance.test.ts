/** A bundle as npm's registry serves it for sigstore 2.0.0, against the public root that comes with crosshook. */

import { describe, expect, it } from 'vitest'
import real from './fixtures/npm-sigstore-2.0.0-provenance.json' with { type: 'json' }
import { verifyProvenance } from './provenance.ts'
import { isSigner, parseSigner } from './signer.ts'
import { SIGSTORE_ROOT } from './sigstore-root.ts'

const SUBJECT = {
  name: 'pkg:npm/sigstore@2.0.0',
  // The integrity of the archive in the registry.
  sha512: Buffer.from(
    'RtTi90xIdzFmQAAKb9+Ki1nx4IR2Z5c+mFn3dN0xuPHgk3gTt3f7ZqKsZ9UFQP40ZAlm7un8LMyjhwgrTIXNPA==',
    'base64',
  ).toString('hex'),
}
type Bundle = typeof real
const copy = () => structuredClone(real) as Bundle

describe('the provenance of a real package', () => {
  it('names the repository, the workflow and the commit', () => {
    const found = verifyProvenance(real, SIGSTORE_ROOT, SUBJECT)
    expect(found).toEqual({
      signer:
        'sigstore:https://token.actions.githubusercontent.com#https://github.com/sigstore/sigstore-js#.github/workflows/release.yml',
      repository: 'https://github.com/sigstore/sigstore-js',
      workflow: '.github/workflows/release.yml',
      commit: 'f0b49a04e5a62250e0f60fb128004a73110fe311',
    })
    expect(isSigner(found.signer)).toBe(true)
    expect(parseSigner(found.signer)).toMatchObject({
      kind: 'sigstore',
      id: '.github/workflows/release.yml of github.com/sigstore/sigstore-js (token.actions.githubusercontent.com)',
    })
  })

  it.each<[string, (bundle: Bundle) => void]>([
    [
      'its statement was altered',
      ({ dsseEnvelope }) => {
        const text = Buffer.from(dsseEnvelope.payload, 'base64').toString().replace('2.0.0', '2.0.1')
        dsseEnvelope.payload = Buffer.from(text).toString('base64')
      },
    ],
    [
      'its signature was altered',
      ({ dsseEnvelope }) => (dsseEnvelope.signatures[0]!.sig = Buffer.alloc(70, 1).toString('base64')),
    ],
    ['no log has seen it', ({ verificationMaterial }) => (verificationMaterial.tlogEntries = [])],
    [
      'the log has seen something else',
      ({ verificationMaterial: { tlogEntries } }) => {
        const text = Buffer.from(tlogEntries[0]!.canonicalizedBody, 'base64').toString()
        tlogEntries[0]!.canonicalizedBody = Buffer.from(text.replace('0.0.2', '0.0.3')).toString('base64')
      },
    ],
    [
      "the log's promise was altered",
      ({ verificationMaterial: { tlogEntries } }) => (tlogEntries[0]!.integratedTime = '1692380000'),
    ],
    [
      'it has no certificate',
      (bundle) => Reflect.deleteProperty(bundle.verificationMaterial, 'x509CertificateChain'),
    ],
    ['it is something else', (bundle) => Reflect.deleteProperty(bundle, 'dsseEnvelope')],
  ])('does not hold when %s', (_, alter) => {
    const bundle = copy()
    alter(bundle)
    expect(() => verifyProvenance(bundle, SIGSTORE_ROOT, SUBJECT)).toThrow(/provenance does not hold/)
  })

  it('does not hold for other bytes, another package or another version', () => {
    for (const [subject, why] of [
      [{ ...SUBJECT, sha512: '0'.repeat(128) }, /other bytes/],
      [{ ...SUBJECT, name: 'pkg:npm/sigstore@2.0.1' }, /it is about pkg:npm\/sigstore@2\.0\.0/],
      [{ ...SUBJECT, name: 'pkg:npm/sigstor@2.0.0' }, /it is about/],
    ] as const)
      expect(() => verifyProvenance(real, SIGSTORE_ROOT, subject)).toThrow(why)
  })

  it('does not hold under a root that is none', () => {
    for (const root of [{}, { tlogs: 'x' }, { ...(SIGSTORE_ROOT as object), ctlogs: [] }])
      expect(() => verifyProvenance(real, root, SUBJECT)).toThrow(/trusted root/)
  })
})

it('a workflow is written in one form only', () => {
  for (const text of [
    'sigstore:',
    'sigstore:https://a#https://b',
    'sigstore:http://a#https://b#c',
    'sigstore:https://a#https://b#c#d',
    'sigstore:https://a#https://b#c d',
  ])
    expect(isSigner(text), text).toBe(false)
})
