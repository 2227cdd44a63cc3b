/** What people call, by the command line and the page. A table: method, path, who may. */

import { z } from 'zod'
import { decodeBatch } from '../../fleet/wire/batch.ts'
import { parseManifest } from '../../fleet/wire/policy.ts'
import { isPublicKey } from '../../sign/keys.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { Hub } from '../hub.ts'
import { answerAsk, openAsks } from '../store/asks.ts'
import { brokenAudit, readAudit } from '../store/audit.ts'
import { createToken, edgeOf, edgesNamed, edgesOf, revoke } from '../store/edges.ts'
import { fleetSummary, proofsOf } from '../store/proofs.ts'
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
} from '../store/revisions.ts'
import {
  ANALYTICS_BY,
  type AnalyticsBy,
  analytics,
  batchesAfter,
  findings,
  recordsOfEdge,
  resultOf,
  searchRows,
} from '../store/search.ts'
import {
  addPerson,
  changeSettings,
  type Person,
  people,
  ROLES,
  type Role,
  removePerson,
  trustedKeys,
} from '../store/tenants.ts'
import { parse } from './edge-routes.ts'

export interface PersonCall {
  hub: Hub
  person: Person
  url: URL
  body: Buffer
  /** What stood in the places of `{name}` in the path. */
  names: Readonly<Record<string, string>>
}

export interface PersonRoute {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  role: Role
  handle(call: PersonCall): Promise<unknown>
}

function route(
  method: PersonRoute['method'],
  path: string,
  role: Role,
  handle: PersonRoute['handle'],
): PersonRoute {
  return { method, path, role, handle }
}

export const PERSON_ROUTES: readonly PersonRoute[] = [
  route('GET', '/v1/fleet/me', 'viewer', async ({ person }) => person),
  route('GET', '/v1/fleet/status', 'viewer', status),
  route('GET', '/v1/fleet/edges', 'viewer', listEdges),
  route('GET', '/v1/fleet/edges/{id}', 'viewer', oneEdge),
  route('POST', '/v1/fleet/edges/{id}/revoke', 'admin', revokeEdge),
  route('POST', '/v1/fleet/tokens', 'admin', newToken),
  route('GET', '/v1/fleet/keys', 'viewer', ({ hub, person: { tenant } }) =>
    hub.db.within(tenant, (sql) => trustedKeys(sql, tenant)),
  ),
  route('GET', '/v1/fleet/revisions', 'viewer', listRevisions),
  route('GET', '/v1/fleet/revisions/{n}', 'viewer', oneRevision),
  route('POST', '/v1/fleet/revisions', 'admin', newRevision),
  route('POST', '/v1/fleet/revisions/{n}/signatures', 'admin', newSignature),
  route('POST', '/v1/fleet/revisions/{n}/{verb}', 'admin', moveRevision),
  route('GET', '/v1/fleet/bundles/{digest}', 'viewer', oneBundle),
  route('GET', '/v1/fleet/journal', 'viewer', journal),
  route('GET', '/v1/fleet/edges/{id}/journal', 'viewer', edgeJournal),
  route('GET', '/v1/fleet/findings', 'viewer', ({ hub, person: { tenant } }) =>
    hub.db.within(tenant, (sql) => findings(sql, tenant)),
  ),
  route('GET', '/v1/fleet/export', 'viewer', exportPage),
  route('GET', '/v1/fleet/analytics', 'viewer', counts),
  route('GET', '/v1/fleet/asks', 'viewer', listAsks),
  route('POST', '/v1/fleet/asks/{id}', 'approver', answer),
  route('GET', '/v1/fleet/audit', 'viewer', auditLog),
  route('GET', '/v1/fleet/people', 'viewer', ({ hub, person: { tenant } }) =>
    hub.db.within(tenant, (sql) => people(sql, tenant)),
  ),
  route('POST', '/v1/fleet/people', 'admin', newPerson),
  route('DELETE', '/v1/fleet/people/{id}', 'admin', lessPerson),
  route('POST', '/v1/fleet/settings', 'admin', settings),
]

async function status({ hub, person: { tenant } }: PersonCall) {
  return hub.db.within(tenant, async (sql) => ({
    tenant,
    streams: hub.streams.count,
    ...(await fleetSummary(sql, tenant)),
    revisions: (
      await revisionsIn(sql, tenant, ['pending', 'running', 'done', 'stopped', 'superseded'], 5)
    ).map(revisionJson),
    findings: (await findings(sql, tenant, 20)).length,
    asks: (await openAsks(sql, tenant)).length,
  }))
}

async function listEdges({ hub, person: { tenant }, url }: PersonCall) {
  const limit = Math.min(Number(url.searchParams.get('limit') ?? 1000) || 1000, 10_000)
  return hub.db.within(tenant, async (sql) => {
    const edges = await edgesOf(sql, tenant, limit, url.searchParams.get('after') ?? '')
    const proofs = Map.groupBy(await proofsOf(sql, tenant), ({ edge }) => edge)
    return edges.map(({ public: _, ...edge }) => ({
      ...edge,
      agents: (proofs.get(edge.id) ?? []).map(({ agent, agent_version, obeyed, cannot, broken, at }) => ({
        ...{ agent, agent_version, obeyed, cannot, broken, at },
      })),
    }))
  })
}

async function oneEdge({ hub, person: { tenant }, names }: PersonCall) {
  return hub.db.within(tenant, async (sql) => {
    const edge = await edgeOf(sql, tenant, names.id!)
    if (!edge) throw new CrosshookError('not_found', `There is no machine ${names.id}.`)
    const proofs = await proofsOf(sql, tenant, edge.id)
    return {
      ...edge,
      agents: proofs.map(({ body, ...proof }) => ({ ...proof, detail: JSON.parse(body) as unknown })),
    }
  })
}

async function revokeEdge({ hub, person, names }: PersonCall) {
  const revoked = await hub.db.within(person.tenant, (sql) => revoke(sql, person, names.id!))
  if (revoked.length === 0)
    throw new CrosshookError('not_found', `There is no machine ${names.id} that is enrolled.`)
  return { revoked }
}

const tokenSchema = z.object({
  name: z.string().max(200).default(''),
  labels: z.record(z.string().regex(/^\w{1,64}$/), z.string().max(200)).default({}),
  uses: z.int().min(1).max(100_000).default(1),
  hours: z.number().positive().max(8760).default(24),
})

async function newToken({ hub, person, body }: PersonCall) {
  const wish = parse(tokenSchema, body)
  return { token: await hub.db.within(person.tenant, (sql) => createToken(sql, person, wish)) }
}

function revisionJson({ manifest, signatures, ...row }: Revision) {
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

const signature = z.object({ key: z.string().refine(isPublicKey), signature: z.string().max(200) })
const revisionSchema = z.object({
  manifest: z.string().max(100_000),
  signatures: z.array(signature).max(10),
  archive: z.base64(),
})

async function newRevision({ hub, person, body }: PersonCall) {
  const { archive, ...signed } = parse(revisionSchema, body)
  const bytes = Buffer.from(archive, 'base64')
  return revisionJson(await hub.db.within(person.tenant, (sql) => publish(sql, person, signed, bytes)))
}

async function newSignature({ hub, person, names, body }: PersonCall) {
  const given = parse(signature, body)
  const revision = await hub.db.within(person.tenant, (sql) =>
    addSignature(sql, person, Number(names.n), given.key, given.signature),
  )
  return revisionJson(revision)
}

async function moveRevision({ hub, person, names, body }: PersonCall) {
  const n = Number(names.n)
  const { tenant } = person
  const { reason } = parse(z.object({ reason: z.string().max(500).default('by hand') }), body)
  const isMoved = await hub.db.within(tenant, async (sql) => {
    const revision = await revisionOf(sql, tenant, n)
    if (!revision) throw new CrosshookError('not_found', `There is no revision ${names.n}.`)
    if (names.verb === 'advance') return advance(sql, tenant, person.id, revision)
    if (names.verb === 'stop') return stop(sql, tenant, person.id, n, reason)
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

async function journal({ hub, person: { tenant }, url }: PersonCall) {
  const text = (name: string) => {
    const value = url.searchParams.get(name)
    return value === null ? {} : { [name]: value }
  }
  const number = (name: string) => {
    const value = url.searchParams.get(name)
    return value === null || !Number.isFinite(Number(value)) ? {} : { [name]: Number(value) }
  }
  const filter = {
    ...text('edge'),
    ...text('agent'),
    ...text('hook'),
    ...text('decision'),
    ...text('event'),
    ...text('tool'),
    ...number('since'),
    ...number('until'),
    ...number('limit'),
  }
  const rows = await hub.db.within(tenant, (sql) => searchRows(sql, tenant, filter))
  return rows.map(({ body, ...row }) => ({ ...row, record: JSON.parse(body) as unknown }))
}

async function edgeJournal({ hub, person: { tenant }, names }: PersonCall) {
  const lines = await hub.db.within(tenant, (sql) => recordsOfEdge(sql, tenant, names.id!))
  return lines.map((line) => JSON.parse(line) as unknown)
}

/** Another hub may still be writing what came before: an export that will go on from its end leaves out the newest. */
const SETTLED_MS = 60_000

/** The cursor is the place of the last batch that was given: time of arrival, machine, first record. */
async function exportPage({ hub, person: { tenant }, url }: PersonCall) {
  const [at = '0', edge = '', seq = '0'] = (url.searchParams.get('after') ?? '0').split('/')
  const until = url.searchParams.get('settled') === '1' ? Date.now() - SETTLED_MS : undefined
  const { batches, names } = await hub.db.within(tenant, async (sql) => {
    const after = { at: Number(at) || 0, edge, seq: Number(seq) || 0 }
    const batches = await batchesAfter(sql, tenant, after, until)
    return { batches, names: await edgesNamed(sql, tenant, [...new Set(batches.map((each) => each.edge))]) }
  })
  const last = batches.at(-1)
  return {
    lines: batches.flatMap(({ edge, revision, bytes }) => {
      const about = JSON.stringify({ edge, machine: names.get(edge)?.name ?? '', revision }).slice(0, -1)
      return decodeBatch(bytes).lines.map((line) => `${about},${line.slice(1)}`)
    }),
    next: last ? `${last.received_at}/${last.edge}/${last.first_seq}` : null,
  }
}

async function counts({ hub, person: { tenant }, url }: PersonCall) {
  const by = (url.searchParams.get('by') ?? 'hook,decision').split(',').filter((name) => name !== '')
  const wrong = by.find((name) => !(ANALYTICS_BY as readonly string[]).includes(name))
  if (wrong !== undefined)
    throw new CrosshookError('usage', `Nothing is counted by "${wrong}".`, {
      fix: `Use ${ANALYTICS_BY.join(', ')}.`,
    })
  const since = Number(url.searchParams.get('since') ?? Date.now() - 7 * 86_400_000)
  const events = url.searchParams.get('of') === 'events'
  return hub.db.within(tenant, (sql) => analytics(sql, tenant, { by: by as AnalyticsBy[], since, events }))
}

async function listAsks({ hub, person: { tenant } }: PersonCall) {
  const rows = await hub.db.within(tenant, (sql) => openAsks(sql, tenant))
  return rows.map(({ body, ...row }) => ({ ...(JSON.parse(body) as object), ...row }))
}

const answerSchema = z.object({
  decision: z.enum(['allow', 'deny']),
  scope: z.enum(['once', 'session', 'project']).default('once'),
  reason: z.string().max(2000).default(''),
  signed: signature.optional(),
})

async function answer({ hub, person, names, body }: PersonCall) {
  const given = parse(answerSchema, body)
  return hub.db.within(person.tenant, (sql) => answerAsk(sql, person, names.id!, given))
}

async function auditLog({ hub, person: { tenant }, url }: PersonCall) {
  const limit = Math.min(Number(url.searchParams.get('limit') ?? 100) || 100, 1000)
  return hub.db.within(tenant, async (sql) => ({
    broken_at: (await brokenAudit(sql, tenant)) ?? null,
    rows: (await readAudit(sql, tenant, limit)).map(({ detail, ...row }) => ({
      ...row,
      detail: JSON.parse(detail) as unknown,
    })),
  }))
}

const personSchema = z.object({
  id: z.string().regex(/^[\w.@+-]{1,100}$/),
  role: z.enum(ROLES),
  subject: z.string().max(300).nullable().default(null),
})

async function newPerson({ hub, person, body }: PersonCall) {
  const { subject, ...given } = parse(personSchema, body)
  const { tenant } = person
  return {
    token: await hub.db.within(tenant, (sql) => addPerson(sql, person.id, { tenant, ...given }, subject)),
  }
}

async function lessPerson({ hub, person, names }: PersonCall) {
  const removed = await hub.db.within(person.tenant, (sql) => removePerson(sql, person, names.id!))
  if (!removed) throw new CrosshookError('not_found', `There is no person ${names.id}.`)
  return { removed: names.id }
}

const settingsSchema = z.strictObject({
  retention_days: z.int().min(1).max(3650).optional(),
  webhooks: z
    .array(z.strictObject({ url: z.url(), secret: z.string().min(16) }))
    .max(10)
    .optional(),
  oidc: z
    .array(
      z.strictObject({
        issuer: z.url(),
        audience: z.string().min(1),
        labels: z.record(z.string(), z.string()),
        claims: z.record(z.string(), z.string()),
      }),
    )
    .max(10)
    .optional(),
  inference_secret: z.string().startsWith('whsec_').optional(),
})

async function settings({ hub, person, body }: PersonCall) {
  const change = parse(settingsSchema, body) as Parameters<typeof changeSettings>[2]
  await hub.db.within(person.tenant, (sql) => changeSettings(sql, person, change))
  return { changed: Object.keys(change) }
}
