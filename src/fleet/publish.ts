/** Makes and signs a revision on the person's machine: the hub never has the key. */

import type { SigningKey } from '../sign/keys.ts'
import { sign } from '../sign/signature.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Admin } from './admin.ts'
import {
  compileSelector,
  digestOf,
  type Manifest,
  parseManifest,
  type Stage,
  type Trusted,
} from './wire/policy-manifest.ts'

export interface PublishWish {
  key: SigningKey
  author: string
  selector: string
  stages: Stage[]
  stop: Manifest['stop']
  max_age: Manifest['max_age']
  journal: Manifest['journal']
  note?: string
  /** Replace the keys that sign now. */
  keys?: string[]
  threshold?: number
}

export interface RevisionRow {
  revision: number
  digest: string
  state: string
  stage: number
  stage_since: number
  author: string
  why: string | null
  created_at: number
  manifest: Manifest
  signed_by: string[]
}

export async function publishArchive(
  admin: Admin,
  archive: Uint8Array,
  wish: PublishWish,
): Promise<RevisionRow> {
  await compileSelector(wish.selector)
  const { tenant } = await admin.get<{ tenant: string }>('/v1/fleet/me')
  const trusted = await admin.get<Trusted & { next_revision: number }>('/v1/fleet/keys')
  const keys = wish.keys ?? (trusted.keys.length > 0 ? [...trusted.keys] : [wish.key.public])
  const manifest: Manifest = {
    version: 1,
    tenant,
    revision: trusted.next_revision,
    digest: digestOf(archive),
    issued_at: new Date().toISOString(),
    author: wish.author,
    ...(wish.note === undefined ? {} : { note: wish.note }),
    selector: wish.selector,
    stages: wish.stages,
    stop: wish.stop,
    max_age: wish.max_age,
    journal: wish.journal,
    keys,
    threshold: wish.threshold ?? (trusted.keys.length > 0 ? trusted.threshold : 1),
  }
  const text = JSON.stringify(manifest)
  parseManifest(text)
  return admin.post('/v1/fleet/revisions', {
    manifest: text,
    signatures: [{ key: wish.key.public, signature: sign(wish.key, 'bundle', text) }],
    archive: Buffer.from(archive).toString('base64'),
  })
}

/** An old archive as a new revision: machines never go back. */
export async function rollBack(admin: Admin, revision: number, wish: PublishWish): Promise<RevisionRow> {
  const found = await admin.get<RevisionRow>(`/v1/fleet/revisions/${revision}`)
  const { archive } = await admin.get<{ archive: string }>(`/v1/fleet/bundles/${found.digest}`)
  const bytes = Buffer.from(archive, 'base64')
  if (digestOf(bytes) !== found.manifest.digest)
    throw new CrosshookError('refused', `The hub gives another archive than that of revision ${revision}.`, {
      fix: 'Do not trust this hub. Publish from your own copy of the policy: crosshook fleet publish FOLDER.',
    })
  const { selector, stop, max_age, journal } = found.manifest
  return publishArchive(admin, bytes, { ...wish, selector, stop, max_age, journal })
}

export async function addOwnSignature(admin: Admin, revision: number, key: SigningKey): Promise<RevisionRow> {
  const { signed } = await admin.get<{ signed: { manifest: string } }>(`/v1/fleet/revisions/${revision}`)
  if (parseManifest(signed.manifest).revision !== revision)
    throw new CrosshookError('refused', 'The hub gives another revision to sign than it was asked for.')
  return admin.post(`/v1/fleet/revisions/${revision}/signatures`, {
    key: key.public,
    signature: sign(key, 'bundle', signed.manifest),
  })
}
