/** Packs by name: as people write them, and as the indexes list them. */

import { CrosshookError } from '../spec/errors.ts'
import type { PackRecord } from './description.ts'
import type { IndexStore, KnownIndex } from './index-store.ts'

/** `acme/guards`, `acme/guards:strict`, `acme/guards@1.2`. */
const NAMED = /^([a-z0-9][a-z0-9-]*\/[a-z0-9][a-z0-9._-]*)(?::([a-z][a-z0-9-]*))?(?:@(.+))?$/

export interface NamedRequest {
  name: string
  level?: string
  range?: string
}

export function parseNamed(word: string): NamedRequest | undefined {
  const found = NAMED.exec(word)
  if (!found) return undefined
  const [, name, level, range] = found
  return {
    name: name!,
    ...(level === undefined ? {} : { level }),
    ...(range === undefined ? {} : { range }),
  }
}

export interface Listed {
  index: KnownIndex
  record: PackRecord
}

/** Finds the pack in the person's indexes. A name in two indexes is an error, unless both say the same. */
export function lookUp(name: string, indexes: IndexStore): Listed | undefined {
  const found = indexes.find(name)
  const [first, other] = found
  if (first && other && JSON.stringify(first.record.keys) !== JSON.stringify(other.record.keys))
    throw new CrosshookError(
      'refused',
      `${name} is in the indexes ${found.map(({ index }) => index.name).join(' and ')}, under different keys`,
      {
        fix: 'Remove one of the indexes, or add the pack by its address.',
      },
    )
  return first
}
