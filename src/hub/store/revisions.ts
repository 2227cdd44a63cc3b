/** Revisions of the policy and how far each has been rolled out. */

import { digestOf, parseManifest, type Signed, verifySigned } from '../../fleet/wire/policy-manifest.ts'
import type { PublicKey } from '../../sign/keys.ts'
import { verify } from '../../sign/signature.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { Sql } from '../database/port.ts'
import { audit } from './audit.ts'
import { changed, type Person, setKeys, trustedKeys } from './tenants.ts'

/**
 * `pending`: signatures are missing. `running`: in one of its stages. `done`: everybody in its selector may have it.
 * `superseded`: a newer one came while it ran, and it stays where it was. `stopped`: nobody else gets it.
 */
export type RevisionState = 'pending' | 'running' | 'done' | 'stopped' | 'superseded'

export interface Revision extends Signed {
  revision: number
  digest: string
  author: string
  created_at: number
  state: RevisionState
  stage: number
  stage_since: number
  why: string | null
}

const COLUMNS = 'revision, digest, manifest, author, created_at, state, stage, stage_since, why'

/** The next revision, by number: of two made at once only one is accepted. */
export async function publish(sql: Sql, by: Person, signed: Signed, archive: Uint8Array): Promise<Revision> {
  const manifest = parseManifest(signed.manifest)
  const { tenant } = by
  if (manifest.tenant !== tenant) throw refused(`The policy is for ${manifest.tenant}, not for ${tenant}.`)
  if (digestOf(archive) !== manifest.digest)
    throw refused('The archive is not the one that the manifest names.')
  await sql.run('UPDATE pulse SET edges = edges WHERE tenant = $1', [tenant])
  const next = await nextRevision(sql, tenant)
  if (manifest.revision !== next)
    throw new CrosshookError('exists', `The next revision is ${next}, and this is ${manifest.revision}.`, {
      fix: 'Somebody else has published meanwhile. Look at `crosshook fleet status`, then publish again.',
    })
  const trusted = await trustedKeys(sql, tenant)
  // The first policy brings the keys that sign it; later ones are checked against the previous keys.
  if (trusted.keys.length === 0) await setKeys(sql, tenant, by.id, manifest)
  await sql.run('INSERT INTO blobs (tenant, digest, bytes) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
    tenant,
    manifest.digest,
    archive,
  ])
  const now = Date.now()
  await sql.run(
    `INSERT INTO revisions (tenant, revision, digest, manifest, author, created_at, state, stage, stage_since)
     VALUES ($1, $2, $3, $4, $5, $6, 'pending', 0, $6)`,
    [tenant, next, manifest.digest, signed.manifest, by.id, now],
  )
  await audit(sql, tenant, by.id, 'published', {
    revision: next,
    digest: manifest.digest,
    author: manifest.author,
  })
  for (const { key, signature } of signed.signatures) await addSignature(sql, by, next, key, signature)
  return (await revisionOf(sql, tenant, next))!
}

/** A restored database knows of fewer revisions than machines have taken: those numbers are not reused. */
const MAX_FORGOTTEN = 1000

/** Follows every revision, including those that machines report. */
export async function nextRevision(sql: Sql, tenant: string): Promise<number> {
  const newest = async (table: string) => {
    const [row] = await sql.all<{ revision: number | null }>(
      `SELECT max(revision) AS revision FROM ${table} WHERE tenant = $1`,
      [tenant],
    )
    return row?.revision ?? 0
  }
  const [own, told] = [await newest('revisions'), await newest('edges')]
  // A machine that reports nonsense must not use up all numbers.
  return (told > own && told - own <= MAX_FORGOTTEN ? told : own) + 1
}

/** The roll-out begins with the last required signature. One person signs with one key. */
export async function addSignature(
  sql: Sql,
  by: Person,
  revision: number,
  key: PublicKey,
  signature: string,
): Promise<Revision> {
  const { tenant } = by
  const found = await revisionOf(sql, tenant, revision)
  if (!found) throw new CrosshookError('not_found', `There is no revision ${revision}.`)
  const trusted = await trustedKeys(sql, tenant)
  if (!trusted.keys.includes(key) || !verify(key, 'bundle', found.manifest, signature))
    throw refused('This signature is not by one of the keys that may sign the policy, or not of this policy.')
  const [other] = await sql.all<{ public: string }>(
    'SELECT public FROM signatures WHERE tenant = $1 AND revision = $2 AND person = $3 AND public <> $4',
    [tenant, revision, by.id, key],
  )
  if (other && trusted.threshold > 1)
    throw refused(`${by.id} has signed revision ${revision} already: another person must.`)
  await sql.run(
    'INSERT INTO signatures (tenant, revision, public, signature, person, at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING',
    [tenant, revision, key, signature, by.id, Date.now()],
  )
  await audit(sql, tenant, by.id, 'signed', { revision, key })
  const now = await revisionOf(sql, tenant, revision)
  if (now!.state === 'pending' && now!.signatures.length >= trusted.threshold) await begin(sql, by, now!)
  return (await revisionOf(sql, tenant, revision))!
}

async function begin(sql: Sql, by: Person, revision: Revision): Promise<void> {
  const { tenant } = by
  const manifest = verifySigned(revision, await trustedKeys(sql, tenant))
  for (const other of await revisionsIn(sql, tenant, ['running']))
    if (other.revision < revision.revision && parseManifest(other.manifest).selector === manifest.selector)
      await setState(
        sql,
        tenant,
        other.revision,
        'superseded',
        `revision ${revision.revision} took its place`,
      )
  await sql.run(
    "UPDATE revisions SET state = 'running', stage = 0, stage_since = $3 WHERE tenant = $1 AND revision = $2",
    [tenant, revision.revision, Date.now()],
  )
  await setKeys(sql, tenant, by.id, manifest)
  await changed(sql, tenant, 'policy')
}

/** The first of several hubs moves it. */
export async function advance(
  sql: Sql,
  tenant: string,
  who: string,
  { revision, stage, manifest }: Revision,
): Promise<boolean> {
  const { stages } = parseManifest(manifest)
  const isLast = stage + 1 >= stages.length
  const moved = isLast
    ? await sql.run(
        "UPDATE revisions SET state = 'done' WHERE tenant = $1 AND revision = $2 AND state = 'running' AND stage = $3",
        [tenant, revision, stage],
      )
    : await sql.run(
        "UPDATE revisions SET stage = stage + 1, stage_since = $4 WHERE tenant = $1 AND revision = $2 AND state = 'running' AND stage = $3",
        [tenant, revision, stage, Date.now()],
      )
  if (moved === 0) return false
  await audit(sql, tenant, who, isLast ? 'rolled out' : 'next stage', {
    revision,
    stage: isLast ? stage : stage + 1,
  })
  await changed(sql, tenant, 'policy')
  return true
}

/** Machines that have it keep it: reverting is a new revision. */
export async function stop(
  sql: Sql,
  tenant: string,
  who: string,
  revision: number,
  why: string,
): Promise<boolean> {
  const stopped = await sql.run(
    "UPDATE revisions SET state = 'stopped', why = $3 WHERE tenant = $1 AND revision = $2 AND state IN ('running', 'pending', 'done')",
    [tenant, revision, why],
  )
  if (stopped === 0) return false
  await audit(sql, tenant, who, 'stopped', { revision, why })
  await changed(sql, tenant, 'policy')
  return true
}

export async function resume(sql: Sql, by: Person, revision: number): Promise<boolean> {
  const resumed = await sql.run(
    "UPDATE revisions SET state = 'running', why = NULL, stage_since = $3 WHERE tenant = $1 AND revision = $2 AND state = 'stopped'",
    [by.tenant, revision, Date.now()],
  )
  if (resumed === 0) return false
  await audit(sql, by.tenant, by.id, 'resumed', { revision })
  await changed(sql, by.tenant, 'policy')
  return true
}

async function setState(
  sql: Sql,
  tenant: string,
  revision: number,
  state: RevisionState,
  why: string,
): Promise<void> {
  await sql.run('UPDATE revisions SET state = $3, why = $4 WHERE tenant = $1 AND revision = $2', [
    tenant,
    revision,
    state,
    why,
  ])
}

export async function revisionOf(sql: Sql, tenant: string, revision: number): Promise<Revision | undefined> {
  const [row] = await sql.all<Omit<Revision, 'signatures'>>(
    `SELECT ${COLUMNS} FROM revisions WHERE tenant = $1 AND revision = $2`,
    [tenant, revision],
  )
  return row && (await withSignatures(sql, tenant, [row]))[0]
}

/** States in which machines may have it. */
export const OFFERED: readonly RevisionState[] = ['running', 'done', 'superseded']

/** Newest first. */
export async function revisionsIn(
  sql: Sql,
  tenant: string,
  states: readonly RevisionState[],
  limit = 100,
): Promise<Revision[]> {
  const rows = await sql.all<Omit<Revision, 'signatures'>>(
    `SELECT ${COLUMNS} FROM revisions WHERE tenant = $1 AND state IN (${states.map((_, i) => `$${i + 3}`).join(', ')})
     ORDER BY revision DESC LIMIT $2`,
    [tenant, limit, ...states],
  )
  return withSignatures(sql, tenant, rows)
}

async function withSignatures(
  sql: Sql,
  tenant: string,
  rows: readonly Omit<Revision, 'signatures'>[],
): Promise<Revision[]> {
  if (rows.length === 0) return []
  const found = await sql.all<{ revision: number; key: string; signature: string }>(
    `SELECT revision, public AS key, signature FROM signatures
     WHERE tenant = $1 AND revision IN (${rows.map((_, i) => `$${i + 2}`).join(', ')}) ORDER BY at`,
    [tenant, ...rows.map(({ revision }) => revision)],
  )
  const by = Map.groupBy(found, ({ revision }) => revision)
  return rows.map((row) => ({
    ...row,
    signatures: (by.get(row.revision) ?? []).map(({ key, signature }) => ({ key, signature })),
  }))
}

/** For machines that were away while the keys changed: oldest first, without those never signed by enough keys. */
export async function manifestsAfter(sql: Sql, tenant: string, after: number): Promise<Signed[]> {
  const rows = await sql.all<Omit<Revision, 'signatures'>>(
    `SELECT ${COLUMNS} FROM revisions WHERE tenant = $1 AND revision > $2 AND state <> 'pending' ORDER BY revision LIMIT 1000`,
    [tenant, after],
  )
  return (await withSignatures(sql, tenant, rows)).map(({ manifest, signatures }) => ({
    manifest,
    signatures,
  }))
}

export async function blobOf(sql: Sql, tenant: string, digest: string): Promise<Uint8Array | undefined> {
  const [row] = await sql.all<{ bytes: Uint8Array }>(
    'SELECT bytes FROM blobs WHERE tenant = $1 AND digest = $2',
    [tenant, digest],
  )
  return row?.bytes
}

function refused(message: string): CrosshookError {
  return new CrosshookError('refused', message)
}
