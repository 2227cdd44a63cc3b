/** Requests that wait for a person's answer at this hub. */

import type { AskRow } from './store/asks.ts'

export interface Answers {
  /** Resolves with the answer, or undefined after `ms`. `end` gives up. */
  wait(tenant: string, id: string, ms: number): { promise: Promise<AskRow | undefined>; end(): void }
  /** Wakes those who wait for it. */
  tell(tenant: string, row: AskRow): void
  readonly waiting: number
  /** Does anybody of this tenant wait? */
  has(tenant: string): boolean
}

export function createAnswers(): Answers {
  const waiting = new Map<string, Map<string, Set<(row: AskRow | undefined) => void>>>()
  let count = 0
  return {
    get waiting() {
      return count
    },
    has: (tenant) => (waiting.get(tenant)?.size ?? 0) > 0,
    wait(tenant, id, ms) {
      let ids = waiting.get(tenant)
      if (!ids) waiting.set(tenant, (ids = new Map()))
      let all = ids.get(id)
      if (!all) ids.set(id, (all = new Set()))
      const { promise, resolve } = Promise.withResolvers<AskRow | undefined>()
      const timer = setTimeout(() => resolve(undefined), ms)
      all.add(resolve)
      count++
      const own = all
      return {
        promise,
        end() {
          clearTimeout(timer)
          if (own.delete(resolve)) count--
          if (own.size === 0 && ids.get(id) === own) ids.delete(id)
        },
      }
    },
    tell(tenant, row) {
      for (const resolve of waiting.get(tenant)?.get(row.id) ?? []) resolve(row)
    },
  }
}
