/** Secrets whose values are known: environment variables with secret names. */

import type { Secret } from './find.ts'
import { isPerhapsSecretKey, isSecretKey } from './names.ts'
import { isPlaceholder, looksRandom } from './placeholders.ts'

/** A shorter value would be found in ordinary words. */
const MIN_CHARS = 8

/** Values of variables such as `GITHUB_TOKEN`. Paths, addresses and switches under such names do not count. */
export function secretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  const values: string[] = []
  for (const name in env) {
    const value = env[name]
    if (value === undefined || value.length < MIN_CHARS || value.length > MAX_CHARS) continue
    const rank = rankOf(name)
    if (rank === 'none') continue
    const isSecret = rank === 'secret' || looksRandom(value)
    if (isSecret && !PLACE.test(value) && !isPlaceholder(value)) values.push(value)
  }
  return values
}

type Rank = 'secret' | 'perhaps' | 'none'

/** Cached: each event brings the same names. */
const ranks = new Map<string, Rank>()
const MAX_RANKS = 4096

function rankOf(name: string): Rank {
  let rank = ranks.get(name)
  if (rank === undefined) {
    rank = isSecretKey(name) ? 'secret' : isPerhapsSecretKey(name) ? 'perhaps' : 'none'
    if (ranks.size >= MAX_RANKS) ranks.clear()
    ranks.set(name, rank)
  }
  return rank
}

const MAX_CHARS = 16_384
const PLACE = /^(?:[/~]|\.{1,2}\/|[A-Za-z]:\\|[a-z+]+:\/\/[^:@\s]*$|\d{1,11}$|unix:)/

export function findKnown(text: string, values: Iterable<string>, add: (found: Secret) => void): void {
  for (const value of values)
    for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + value.length))
      add({ kind: 'environment', start, end: start + value.length, certain: true })
}
