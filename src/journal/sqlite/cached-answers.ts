/** Cached answers of hooks, shared by all processes. */

import { digest } from '../../fast/digest.ts'
import { messageOf } from '../../spec/errors.ts'
import type { Answers } from '../port.ts'
import { read, write } from './database.ts'
import type { Store } from './store.ts'

export function cache(store: Store, limit = 1000): Answers {
  return {
    get(key, ttlSeconds) {
      const now = Date.now()
      try {
        // An answer that expires later than a new one would was stored before the clock was set back.
        const row = read(store, (db) =>
          db
            .prepare('SELECT value FROM cache WHERE key = ? AND expires_at > ? AND expires_at <= ?')
            .get(key, now, expiry(now, ttlSeconds)),
        )
        return row && JSON.parse(String(row.value))
      } catch (error) {
        store.warnings.push(`A cached answer could not be read, so the hook runs again: ${messageOf(error)}`)
        return undefined
      }
    },
    set(key, value, ttlSeconds) {
      const text = JSON.stringify(value)
      if (text === undefined || !(ttlSeconds > 0)) return undefined
      const now = Date.now()
      return write(store, (db) => {
        db.prepare('INSERT OR REPLACE INTO cache (key, expires_at, value) VALUES (?, ?, ?)').run(
          key,
          expiry(now, ttlSeconds),
          text,
        )
        const { count } = db.prepare('SELECT count(*) AS count FROM cache').get() as { count: number }
        if (count <= limit) return
        db.prepare('DELETE FROM cache WHERE expires_at <= ?').run(now)
        db.prepare(
          'DELETE FROM cache WHERE rowid IN (SELECT rowid FROM cache ORDER BY rowid DESC LIMIT -1 OFFSET ?)',
        ).run(limit)
      })
    },
  }
}

function expiry(now: number, ttlSeconds: number): number {
  return Math.min(now + ttlSeconds * 1000, Number.MAX_SAFE_INTEGER)
}

/** Equal for the same hook and event, whenever it happens and in whatever order its fields come. */
export function cacheKey(hookDigest: string, event: object): string {
  const { timestamp: _, ...rest } = event as { timestamp?: unknown }
  return digest([hookDigest, rest])
}
