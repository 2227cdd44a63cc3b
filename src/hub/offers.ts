/** Which revision each machine should have. Read when a tenant's policy changes, then kept in memory. */

import {
  compileSelector,
  isWithin,
  parseManifest,
  type Selector,
  type Stage,
  type Target,
} from '../fleet/wire/policy-manifest.ts'
import type { Database } from './database/port.ts'
import { OFFERED, revisionsIn } from './store/revisions.ts'

export interface Offer {
  revision: number
  stage: number
  /** Text of the event on a machine's stream, shared by all of them. */
  event: string
}

interface Offered extends Offer {
  digest: string
  rule: Stage
  selects: Selector
}

export interface Offers {
  /** Reads them again. */
  refresh(tenant: string): Promise<void>
  /** The newest revision for this machine; undefined when there is none. */
  offerFor(tenant: string, target: Target): Promise<Offer | undefined>
}

export function createOffers(db: Database): Offers {
  const known = new Map<string, Promise<Offered[]>>()
  const read = (tenant: string) => {
    const reading = load(db, tenant)
    known.set(tenant, reading)
    // After a database failure it is read again.
    reading.catch(() => known.get(tenant) === reading && known.delete(tenant))
    return reading
  }
  return {
    async refresh(tenant) {
      await read(tenant)
    },
    async offerFor(tenant, target) {
      const offered = await (known.get(tenant) ?? read(tenant))
      return offered.find(
        ({ rule, digest, selects }) => isWithin(rule.percent, digest, target.id) && selects(target),
      )
    },
  }
}

/** Newest first. */
async function load(db: Database, tenant: string): Promise<Offered[]> {
  const rows = await db.within(tenant, (sql) => revisionsIn(sql, tenant, OFFERED))
  return Promise.all(
    rows.map(async ({ revision, stage, digest, manifest, signatures }) => {
      const { stages, selector } = parseManifest(manifest)
      return {
        revision,
        stage,
        digest,
        rule: stages[stage]!,
        selects: await compileSelector(selector),
        event: `id: ${revision}.${stage}\nevent: policy\ndata: ${JSON.stringify({ stage, manifest, signatures })}\n\n`,
      }
    }),
  )
}
