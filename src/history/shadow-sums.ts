/** What hooks in shadow would have decided. */

import type { Journal } from '../journal/port.ts'
import { newestFirst } from './pages.ts'

export interface ShadowSum {
  hook: string
  calls: number
  denies: number
  asks: number
}

export function shadowSums(journal: Journal, hooks: readonly string[], since: Date): ShadowSum[] {
  return hooks.map((hook) => {
    const sum = { hook, calls: 0, denies: 0, asks: 0 }
    for (const record of newestFirst(journal, { hook, since }))
      for (const { name, shadow } of record.hooks) {
        if (name !== hook || shadow === undefined) continue
        sum.calls++
        if (shadow === 'deny') sum.denies++
        if (shadow === 'ask') sum.asks++
      }
    return sum
  })
}
