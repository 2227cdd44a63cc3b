/** Revisions of the policy and their roll-outs. */

import * as z from 'zod'
import { parseManifest } from '../../../fleet/wire/policy-manifest.ts'
import { isPublicKey } from '../../../sign/keys.ts'
import { CrosshookError } from '../../../spec/errors.ts'
import {
  addSignature,
  advance,
  blobOf,
  publish,
  type Revision,
  resume,
  revisionOf,
  revisionsIn,
  stop,
} from '../../store/revisions.ts'
import { resultOf } from '../../store/search.ts'
import { get, type PersonCall, type PersonRoute, post } from '../route.ts'

export const signatureSchema = z.object({
  key: z.string().refine(isPublicKey),
  signature: z.string().max(200),
})
const revisionSchema = z.object({
  manifest: z.string().max(100_000),
  signatures: z.array(signatureSchema).max(10),
  archive: z.base64(),
})
const moveSchema = z.object({ reason: z.string().max(500).default('by hand') })

export const REVISION_ROUTES: readonly PersonRoute[] = [
  get('/v1/fleet/revisions', 'Revisions of the policy, newest first', listRevisions),
  get('/v1/fleet/revisions/{n}', 'One revision, and what its stage has come to', oneRevision),
  post(
    '/v1/fleet/revisions',
    'admin',
    'Publish a revision that was signed elsewhere',
    revisionSchema,
    newRevision,
  ),
  post(
    '/v1/fleet/revisions/{n}/signatures',
    'admin',
    'Add the signature of another person',
    signatureSchema,
    newSignature,
  ),
  post('/v1/fleet/revisions/{n}/{verb}', 'admin', 'advance, stop or resume', moveSchema, moveRevision),
  get('/v1/fleet/bundles/{digest}', 'The archive of a revision', oneBundle),
]

export function revisionJson({ manifest, signatures, ...row }: Revision) {
  return { ...row, manifest: parseManifest(manifest), signed_by: signatures.map(({ key }) => key) }
}

async function listRevisions({ hub, person: { tenant } }: PersonCall) {
  const all = await hub.db.within(tenant, (sql) =>
    revisionsIn(sql, tenant, ['pending', 'running', 'done', 'stopped', 'superseded']),
  )
  return all.map(revisionJson)
}

async function oneRevision({ hub, person: { tenant }, names }: PersonCall) {
  return hub.db.within(tenant, async (sql) => {
    const revision = await revisionOf(sql, tenant, Number(names.n))
    if (!revision) throw new CrosshookError('not_found', `There is no revision ${names.n}.`)
    const { mode } = parseManifest(revision.manifest).stages[revision.stage]!
    const result = await resultOf(sql, tenant, revision.revision, { since: revision.stage_since, mode })
    return {
      ...revisionJson(revision),
      signed: { manifest: revision.manifest, signatures: revision.signatures },
      result,
    }
  })
}

async function newRevision({ hub, person, body }: PersonCall<z.infer<typeof revisionSchema>>) {
  const { archive, ...signed } = body
  const bytes = Buffer.from(archive, 'base64')
  return revisionJson(await hub.db.within(person.tenant, (sql) => publish(sql, person, signed, bytes)))
}

async function newSignature({ hub, person, names, body }: PersonCall<z.infer<typeof signatureSchema>>) {
  const revision = await hub.db.within(person.tenant, (sql) =>
    addSignature(sql, person, Number(names.n), body.key, body.signature),
  )
  return revisionJson(revision)
}

async function moveRevision({ hub, person, names, body }: PersonCall<z.infer<typeof moveSchema>>) {
  const n = Number(names.n)
  const { tenant } = person
  const isMoved = await hub.db.within(tenant, async (sql) => {
    const revision = await revisionOf(sql, tenant, n)
    if (!revision) throw new CrosshookError('not_found', `There is no revision ${names.n}.`)
    if (names.verb === 'advance') return advance(sql, tenant, person.id, revision)
    if (names.verb === 'stop') return stop(sql, tenant, person.id, n, body.reason)
    if (names.verb === 'resume') return resume(sql, person, n)
    throw new CrosshookError('not_found', `A revision cannot "${names.verb}".`, {
      fix: 'It can advance, stop and resume.',
    })
  })
  if (!isMoved) throw new CrosshookError('refused', `Revision ${n} is in no state to ${names.verb}.`)
  return revisionJson((await hub.db.within(tenant, (sql) => revisionOf(sql, tenant, n)))!)
}

async function oneBundle({ hub, person: { tenant }, names }: PersonCall) {
  const bytes = await hub.db.within(tenant, (sql) => blobOf(sql, tenant, names.digest!))
  if (!bytes) throw new CrosshookError('not_found', `There is no archive ${names.digest}.`)
  return { archive: Buffer.from(bytes).toString('base64') }
}
