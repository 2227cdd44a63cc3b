/** Results of each machine's canaries: which agent, in which version, obeys. */

import type { Sql } from '../database/port.ts'
import { HEARD_WITHIN_MS } from './edges.ts'

export interface Proof {
  agent: string
  agent_version: string
  /** Events on which the agent obeyed, cannot be stopped, and on which the wiring is broken. */
  obeyed: number
  cannot: number
  broken: number
  /** What doctor says of the agent, without texts of the person. */
  body: unknown
}

export async function writeProofs(
  sql: Sql,
  tenant: string,
  edge: string,
  proofs: readonly Proof[],
): Promise<void> {
  // An agent that is gone has no proof.
  await sql.run('DELETE FROM proofs WHERE tenant = $1 AND edge = $2', [tenant, edge])
  await sql.insertMany(
    'proofs',
    {
      tenant: 'text',
      edge: 'text',
      agent: 'text',
      agent_version: 'text',
      obeyed: 'bigint',
      cannot: 'bigint',
      broken: 'bigint',
      body: 'text',
      at: 'bigint',
    },
    proofs.map((proof) => [
      tenant,
      edge,
      proof.agent,
      proof.agent_version,
      proof.obeyed,
      proof.cannot,
      proof.broken,
      JSON.stringify(proof.body),
      Date.now(),
    ]),
  )
}

export interface ProofRow extends Proof {
  edge: string
  at: number
  body: string
}

export async function proofsOf(sql: Sql, tenant: string, edges: readonly string[]): Promise<ProofRow[]> {
  if (edges.length === 0) return []
  return sql.all<ProofRow>(
    `SELECT edge, agent, agent_version, obeyed, cannot, broken, body, at FROM proofs
     WHERE tenant = $1 AND edge IN (${edges.map((_, i) => `$${i + 2}`).join(', ')}) ORDER BY edge, agent`,
    [tenant, ...edges],
  )
}

/** For the enrolled machines: how many have which policy, and on how many each agent obeys. */
export async function fleetSummary(sql: Sql, tenant: string, now = Date.now()) {
  const edges = await sql.all<{
    revision: number
    mode: string
    machines: number
    heard: number
    troubled: number
    alarmed: number
  }>(
    `SELECT revision, mode, count(*) AS machines, sum(CASE WHEN last_seen > $2 THEN 1 ELSE 0 END) AS heard,
       sum(CASE WHEN problem IS NULL THEN 0 ELSE 1 END) AS troubled, sum(CASE WHEN alarms = '[]' THEN 0 ELSE 1 END) AS alarmed
     FROM edges WHERE tenant = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
     GROUP BY revision, mode ORDER BY revision DESC`,
    [tenant, now - HEARD_WITHIN_MS, now],
  )
  const agents = await sql.all<{
    agent: string
    agent_version: string
    machines: number
    obeyed: number
    broken: number
  }>(
    `SELECT p.agent, p.agent_version, count(*) AS machines,
       sum(CASE WHEN p.broken = 0 AND p.obeyed > 0 THEN 1 ELSE 0 END) AS obeyed,
       sum(CASE WHEN p.broken > 0 THEN 1 ELSE 0 END) AS broken
     FROM proofs p JOIN edges e ON e.tenant = p.tenant AND e.id = p.edge
     WHERE p.tenant = $1 AND e.revoked_at IS NULL GROUP BY p.agent, p.agent_version ORDER BY p.agent, p.agent_version`,
    [tenant],
  )
  return { policies: edges.map(numbers), agents: agents.map(numbers) }
}

/** PostgreSQL returns sums as text. */
function numbers<T extends Record<string, unknown>>(row: T): T {
  const counts = ['machines', 'heard', 'troubled', 'alarmed', 'obeyed', 'broken']
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, counts.includes(name) ? Number(value) : value]),
  ) as T
}
