/** Times given to commands. */

import { momentOf } from '../spec/duration.ts'
import { CrosshookError } from '../spec/errors.ts'

/** `90s`, `10m`, `1h`, `7d` ago, or a date. */
export function sinceOf(text: string): Date {
  const found = momentOf(text)
  if (found) return found
  throw new CrosshookError('usage', `--since ${text}: is no time`, {
    fix: 'Write how long ago (90s, 10m, 1h, 7d) or a date (2026-01-31T12:00:00Z).',
  })
}
