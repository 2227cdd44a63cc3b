/** Times given to commands. */

import { CrosshookError } from '../spec/errors.ts'

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** `90s`, `10m`, `1h`, `7d` ago, or a date. */
export function momentOf(text: string): Date {
  const ago = /^(\d+)([smhdw])$/.exec(text)
  const at = ago ? Date.now() - Number(ago[1]) * UNITS[ago[2]!]! : Date.parse(text)
  if (!Number.isNaN(at)) return new Date(at)
  throw new CrosshookError('usage', `--since ${text}: is no time`, {
    fix: 'Write how long ago (90s, 10m, 1h, 7d) or a date (2026-01-31T12:00:00Z).',
  })
}
