/** Machines: the list, what they run, and whether their agents obey. */

import * as z from 'zod'
import { CrosshookError } from '../../../spec/errors.ts'
import { openAsks } from '../../store/asks.ts'
import { createToken, EDGE_STATES, type EdgeState, edgeOf, edgesOf, revoke } from '../../store/edges.ts'
import { fleetSummary, proofsOf } from '../../store/proofs.ts'
import { nextRevision, revisionsIn } from '../../store/revisions.ts'
import { findings, recordsOfEdge } from '../../store/search.ts'
import { trustedKeys } from '../../store/tenants.ts'
import { get, limitIn, type PersonCall, type PersonRoute, post } from '../route.ts'
import { revisionJson } from './revisions.ts'

const tokenSchema = z.object({
  name: z.string().max(200).default(''),
  labels: z.record(z.string().regex(/^\w{1,64}$/), z.string().max(200)).default({}),
  uses: z.int().min(1).max(100_000).default(1),
  hours: z.number().positive().max(8760).default(24),
})

export const MACHINE_ROUTES: readonly PersonRoute[] = [
  get('/v1/fleet/status', 'How many machines have which policy, and on how many each agent obeys', status),
  get('/v1/fleet/edges', 'Machines, each with its agents', listEdges, ['text', 'state', 'after', 'limit']),
  get('/v1/fleet/edges/{id}', 'One machine, with what doctor found of each agent', oneEdge),
  get('/v1/fleet/edges/{id}/journal', 'The newest records of one machine, plain allows too', edgeJournal),
  post('/v1/fleet/edges/{id}/revoke', 'admin', 'Revoke a machine, by id or name', z.object({}), revokeEdge),
  post('/v1/fleet/tokens', 'admin', 'Make a token that enrols machines', tokenSchema, newToken),
  get('/v1/fleet/keys', 'Whose signatures count for the next policy, and its number', keys),
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
  const given = url.searchParams.get('state')
  if (given !== null && !EDGE_STATES.includes(given as EdgeState))
    throw new CrosshookError('usage', `There is no state "${given}".`, {
      fix: `Use one of: ${EDGE_STATES.join(', ')}.`,
    })
  const filter = {
    limit: limitIn(url, 1000, 10_000),
    after: url.searchParams.get('after') ?? '',
    text: (url.searchParams.get('text') ?? '').slice(0, 200),
    ...(given === null ? {} : { state: given as EdgeState }),
  }
  return hub.db.within(tenant, async (sql) => {
    const edges = await edgesOf(sql, tenant, filter)
    const found = await proofsOf(
      sql,
      tenant,
      edges.map(({ id }) => id),
    )
    const proofs = Map.groupBy(found, ({ edge }) => edge)
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
    const proofs = await proofsOf(sql, tenant, [edge.id])
    return {
      ...edge,
      agents: proofs.map(({ body, ...proof }) => ({ ...proof, detail: JSON.parse(body) as unknown })),
      findings: (await findings(sql, tenant, 100)).filter(({ edge: id }) => id === edge.id),
    }
  })
}

async function edgeJournal({ hub, person: { tenant }, names, url }: PersonCall) {
  const limit = limitIn(url, 1000, 1000)
  const lines = await hub.db.within(tenant, (sql) => recordsOfEdge(sql, tenant, names.id!, limit))
  return lines.map((line) => JSON.parse(line) as unknown)
}

async function revokeEdge({ hub, person, names }: PersonCall) {
  const revoked = await hub.db.within(person.tenant, (sql) => revoke(sql, person, names.id!))
  if (revoked.length === 0)
    throw new CrosshookError('not_found', `There is no machine ${names.id} that is enrolled.`)
  return { revoked }
}

async function keys({ hub, person: { tenant } }: PersonCall) {
  return hub.db.within(tenant, async (sql) => ({
    ...(await trustedKeys(sql, tenant)),
    next_revision: await nextRevision(sql, tenant),
  }))
}

async function newToken({ hub, person, body }: PersonCall<z.infer<typeof tokenSchema>>) {
  return { token: await hub.db.within(person.tenant, (sql) => createToken(sql, person, body)) }
}
