/** Looks up machines in groups: many concurrent lookups become one query. Nothing is cached. */

import type { Database } from './database/port.ts'
import { type Edge, edgesNamed, markSeen } from './store/edges.ts'

export interface KnownEdges {
  /** Undefined for a machine that is not enrolled, was revoked, or has expired. */
  find(tenant: string, id: string): Promise<Edge | undefined>
  /** Records that it was heard; written with others a few seconds later. */
  seen(tenant: string, id: string): void
  /** Writes the pending records of `seen`. */
  flush(): Promise<void>
}

const MAX_PER_QUERY = 500

export function createKnownEdges(db: Database): KnownEdges {
  const wanted = new Map<string, Map<string, ((edge: Promise<Edge | undefined>) => void)[]>>()
  const heard = new Map<string, Set<string>>()

  function look(tenant: string): void {
    const all = [...(wanted.get(tenant) ?? [])]
    wanted.delete(tenant)
    for (let i = 0; i < all.length; i += MAX_PER_QUERY) {
      const some = all.slice(i, i + MAX_PER_QUERY)
      const found = db.within(tenant, (sql) =>
        edgesNamed(
          sql,
          tenant,
          some.map(([id]) => id),
        ),
      )
      for (const [id, askers] of some)
        for (const answer of askers) answer(found.then((edges) => current(edges.get(id))))
    }
  }

  return {
    find(tenant, id) {
      return new Promise((resolve) => {
        let ids = wanted.get(tenant)
        if (!ids) {
          wanted.set(tenant, (ids = new Map()))
          setImmediate(look, tenant)
        }
        const askers = ids.get(id)
        if (askers) askers.push(resolve)
        else ids.set(id, [resolve])
      })
    },
    seen(tenant, id) {
      const ids = heard.get(tenant)
      if (ids) ids.add(id)
      else heard.set(tenant, new Set([id]))
    },
    async flush() {
      const all = [...heard]
      heard.clear()
      for (const [tenant, ids] of all) {
        const list = [...ids]
        for (let i = 0; i < list.length; i += MAX_PER_QUERY)
          await db.within(tenant, (sql) => markSeen(sql, tenant, list.slice(i, i + MAX_PER_QUERY)))
      }
    },
  }
}

function current(edge: Edge | undefined): Edge | undefined {
  if (!edge || edge.revoked_at !== null) return undefined
  return edge.expires_at !== null && edge.expires_at < Date.now() ? undefined : edge
}
