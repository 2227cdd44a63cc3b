/** Routes for machines. Every request but enrolment is signed with the machine's key. */

import type { ServerResponse } from 'node:http'
import * as z from 'zod'
import { decodeBatch } from '../../fleet/wire/batch.ts'
import { NAME } from '../../fleet/wire/policy-manifest.ts'
import { isPublicKey } from '../../sign/keys.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { Hub } from '../hub.ts'
import { askOf, openAsk, votesOf } from '../store/asks.ts'
import { type Edge, enrollByToken, report, tenantOfToken } from '../store/edges.ts'
import { headOf, recordsOf } from '../store/journal.ts'
import { writeProofs } from '../store/proofs.ts'
import { blobOf, manifestsAfter } from '../store/revisions.ts'
import { trustedKeys } from '../store/tenants.ts'

export interface EdgeCall {
  hub: Hub
  tenant: string
  edge: Edge
  url: URL
  body: Buffer
}

export type EdgeAnswer = { status?: number; headers?: Record<string, string>; body: unknown }

type EdgeRoute = (call: EdgeCall) => Promise<EdgeAnswer>

export const EDGE_ROUTES: Readonly<Record<string, EdgeRoute>> = {
  'POST /fleet/journal': postJournal,
  'GET /fleet/journal': getHead,
  'GET /fleet/bundles': getBundle,
  'GET /fleet/manifests': getManifests,
  'POST /fleet/proofs': postProofs,
  'POST /fleet/asks': postAsk,
  'GET /fleet/asks': getAsk,
}

async function postJournal({ hub, tenant, edge, body }: EdgeCall): Promise<EdgeAnswer> {
  const batch = decodeBatch(body)
  const written = hub.writer.write(tenant, { edge: edge.id, batch, bytes: body, records: recordsOf(batch) })
  if (!written)
    return { status: 503, headers: { 'retry-after': '5' }, body: { detail: 'Too many records wait.' } }
  const answer = await written
  hub.edges.seen(tenant, edge.id)
  return { status: answer.refused === undefined ? 200 : 409, body: answer }
}

async function getHead({ hub, tenant, edge, url }: EdgeCall): Promise<EdgeAnswer> {
  const epoch = url.searchParams.get('epoch') ?? ''
  const head = await hub.db.within(tenant, (sql) => headOf(sql, tenant, edge.id, epoch))
  return { body: { head: head ?? null } }
}

async function getBundle({ hub, tenant, url }: EdgeCall): Promise<EdgeAnswer> {
  const digest = url.searchParams.get('digest') ?? ''
  const bytes = await hub.bundles.get(tenant, digest, () =>
    hub.db.within(tenant, (sql) => blobOf(sql, tenant, digest)),
  )
  if (!bytes) throw new CrosshookError('not_found', `There is no archive ${digest}.`)
  return {
    headers: {
      'content-type': 'application/octet-stream',
      'cache-control': 'private, max-age=31536000, immutable',
    },
    body: bytes,
  }
}

async function getManifests({ hub, tenant, url }: EdgeCall): Promise<EdgeAnswer> {
  const after = Number(url.searchParams.get('after') ?? 0) || 0
  return { body: { manifests: await hub.db.within(tenant, (sql) => manifestsAfter(sql, tenant, after)) } }
}

/** Shown on the page; other fields are left out. */
const bodySchema = z
  .object({
    wired: z.boolean(),
    events: z.array(z.object({ event: z.string().max(200), state: z.string().max(50) })).max(500),
  })
  .partial()
  .catch({})

const proofSchema = z.object({
  revision: z.int().nonnegative(),
  stage: z.int().nonnegative(),
  mode: z.string().max(20),
  version: z.string().max(50),
  problem: z.string().max(1000).nullable(),
  agents: z
    .array(
      z.object({
        agent: z.string().max(100),
        agent_version: z.string().max(100),
        obeyed: z.int().nonnegative(),
        cannot: z.int().nonnegative(),
        broken: z.int().nonnegative(),
        body: bodySchema,
      }),
    )
    .max(100)
    .nullable()
    .describe('null: the machine has not asked its agents; what it said before stands.'),
  alarms: z
    .array(
      z.object({
        kind: z.enum(['heartbeat', 'drift', 'problem']),
        agent: z.string().max(100).optional(),
        n: z.int().positive(),
      }),
    )
    .max(100)
    .nullish(),
})

async function postProofs({ hub, tenant, edge, body }: EdgeCall): Promise<EdgeAnswer> {
  const { agents, alarms, ...said } = parse(proofSchema, body)
  await hub.db.within(tenant, async (sql) => {
    await report(sql, tenant, { edge: edge.id, ...said, alarms: alarms ?? undefined })
    if (agents) await writeProofs(sql, tenant, edge.id, agents)
  })
  return { body: {} }
}

/** The longest time that a person has to answer. */
const MAX_ASK_MS = 24 * 3_600_000

const askSchema = z.object({
  id: z.string().regex(/^[\w-]{8,100}$/),
  input_digest: z.string().max(200),
  deadline: z.number(),
  agent: z.string().max(100),
  session_id: z.string().max(300),
  tool_name: z.string().max(300).nullish(),
  summary: z.string().max(4000),
  reason: z.string().max(4000).nullish(),
  agent_title: z.string().max(200).optional(),
  event: z.string().max(200).optional(),
  work_dir: z.string().max(4000).optional(),
  hooks: z.array(z.string().max(300)).max(100).optional(),
  repeats: z.string().max(200).optional(),
  /** Only shown. */
  input: z.unknown().optional(),
  acts: z
    .array(
      z.object({
        does: z.string().max(100),
        certain: z.boolean(),
        ...Object.fromEntries(
          ['path', 'host', 'program'].map((name) => [name, z.string().max(4000).optional()]),
        ),
      }),
    )
    .max(500)
    .optional(),
  scripts: z
    .array(z.object({ path: z.string().max(4000), digest: z.string().max(200).nullable() }))
    .max(500)
    .optional(),
  approvers: z.array(z.string().max(200)).max(100).default([]),
  approvals: z.int().min(1).max(10).default(1),
})
/** Characters of what a person is shown. */
const MAX_ASK_CHARS = 200_000

async function postAsk({ hub, tenant, edge, body }: EdgeCall): Promise<EdgeAnswer> {
  const { id, input_digest, deadline, approvers, approvals, ...shown } = parse(askSchema, body)
  const ask = {
    // A machine cannot ask in another's name, and cannot collide with another's question.
    id: `${edge.id}-${id}`,
    edge: edge.id,
    input_digest,
    deadline: Math.min(deadline, Date.now() + MAX_ASK_MS),
    approvers: JSON.stringify(approvers),
    approvals,
    body: JSON.stringify({ ...shown, machine: edge.name }),
  }
  if (ask.body.length > MAX_ASK_CHARS) throw new CrosshookError('bad_input', 'The question is too long.')
  const isNew = await hub.db.within(tenant, (sql) => openAsk(sql, tenant, ask))
  if (isNew) hub.channels.tell(tenant, ask)
  return { body: { id: ask.id } }
}

/** Responds when a person has answered, or after `wait` milliseconds. */
async function getAsk({ hub, tenant, edge, url }: EdgeCall): Promise<EdgeAnswer> {
  const id = url.searchParams.get('id') ?? ''
  const wait = Math.min(Number(url.searchParams.get('wait') ?? 0) || 0, 25_000)
  const find = () => hub.db.within(tenant, (sql) => askOf(sql, tenant, id))
  const answered = hub.answers.wait(tenant, id, wait)
  try {
    let row = await find()
    if (row?.edge !== edge.id)
      throw new CrosshookError('not_found', `There is no question ${id} of this machine.`)
    if (row.state === 'open' && wait > 0) row = (await answered.promise) ?? (await find())
    const { state, scope, reason, decided_by, input_digest, signer, signature, approvals } = row!
    const votes =
      approvals > 1 && state === 'allow'
        ? await hub.db.within(tenant, (sql) => votesOf(sql, tenant, [id]))
        : []
    return {
      body: {
        ...{ state, scope, reason, decided_by, input_digest, signer, signature },
        votes: votes.map(({ ask: _, ...vote }) => vote),
      },
    }
  } finally {
    answered.end()
  }
}

const enrolSchema = z.object({
  token: z.string().max(8192),
  name: z.string().min(1).max(200),
  public: z.string().refine(isPublicKey),
  version: z.string().max(50),
})

/** By a token of ours, or by one of an identity provider that the tenant trusts. */
export async function enrol(hub: Hub, body: Buffer): Promise<EdgeAnswer> {
  const { token, ...newcomer } = parse(enrolSchema, body)
  const tenant = tenantOfToken(token)
  const { edge, by } = await (tenant !== undefined && NAME.test(tenant)
    ? hub.db.within(tenant, async (sql) => ({
        by: tenant,
        edge: await enrollByToken(sql, tenant, token, newcomer),
      }))
    : hub.enrolByIdentity(token, newcomer))
  const trusted = await hub.db.within(by, (sql) => trustedKeys(sql, by))
  const { id, name, labels, expires_at } = edge
  return { body: { tenant: by, id, name, labels, expires_at, ...trusted } }
}

/** `Last-Event-ID` is what the machine has. */
export async function openStream(
  hub: Hub,
  { tenant, edge, has, response }: { tenant: string; edge: Edge; has: string; response: ServerResponse },
): Promise<void> {
  const target = { id: edge.id, name: edge.name, labels: edge.labels }
  const stream = hub.streams.open({ tenant, target, told: has, response })
  hub.edges.seen(tenant, edge.id)
  // After it is registered: later changes are sent by the change listener. Head and policy go in one write.
  response.cork()
  try {
    response.write('retry: 1000\n\n')
    await hub.tell(stream)
  } finally {
    response.uncork()
  }
}

export function parse<T>(schema: z.ZodType<T>, body: Buffer): T {
  let given: unknown
  try {
    given = JSON.parse(body.toString('utf8'))
  } catch {
    throw new CrosshookError('bad_input', 'The body is not JSON.')
  }
  const found = schema.safeParse(given)
  if (found.success) return found.data
  const { path, message } = found.error.issues[0]!
  throw new CrosshookError('bad_input', `${path.join('.') || 'the body'}: ${message}`)
}
