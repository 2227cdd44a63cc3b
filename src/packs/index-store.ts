/**
 * The indexes that a person uses. Their last content is kept in the state folder; an index that goes back, or says
 * something else about a version than before, is refused.
 */

import { join } from 'node:path'
import { CrosshookError } from '../spec/errors.ts'
import type { PackRecord } from './description.ts'
import type { AddIndex } from './index-fetch.ts'
import {
  type Found,
  type KnownIndex,
  readList,
  readRecord,
  searchTable,
  tidy,
  writeList,
} from './index-tables.ts'
import type { Surroundings } from './sources/pack-source.ts'

export type { Found, KnownIndex } from './index-tables.ts'

/** An index older than this is fetched again. */
const FRESH_MS = 60 * 60 * 1000

export interface IndexStore {
  list(): KnownIndex[]
  add(wanted: AddIndex): Promise<KnownIndex>
  remove(name: string): boolean
  /** Fetches those not fetched for an hour, or all. Unreachable ones are in the notes, and their cache is used. */
  refresh(options?: { force?: boolean; offline?: boolean }): Promise<string[]>
  search(words: readonly string[]): Found[]
  find(name: string): { index: KnownIndex; record: PackRecord }[]
}

export function openIndexes(around: Surroundings): IndexStore {
  const folder = join(around.stateDir, 'indexes')
  const file = join(folder, 'list.json')
  const list = () => readList(file, around.stateDir)
  const write = (indexes: readonly KnownIndex[]) => writeList(file, around.stateDir, indexes)
  return {
    list,
    async add({ key, unsigned = false, ...wanted }) {
      const { checkNext, fetchIndex, keep } = await import('./index-fetch.ts')
      const { INDEX_FILE, readIndex } = await import('./index-file.ts')
      const url = wanted.url.replace(new RegExp(`(?:/|/${INDEX_FILE})?$`), '/')
      const { got } = await fetchIndex({ ...wanted, url }, around)
      const read = readIndex(got.bytes)
      if (read.key === null && !unsigned)
        throw new CrosshookError('refused', `nobody has signed the index ${url}`, {
          fix: 'Whoever can change it, or what comes between, decides what is added. To use it all the same: --unsigned.',
        })
      if (key !== undefined && read.key !== key)
        throw new CrosshookError('refused', `the index ${url} is signed by another key than the one given`, {
          fix: 'Nothing was added. Ask whoever hosts it for its key.',
        })
      const others = list()
      const before = others.find(({ name }) => name === read.index.name)
      if (before && before.url !== url)
        throw new CrosshookError('exists', `there is an index "${before.name}" already: ${before.url}`, {
          fix: `Remove it first: crosshook index remove ${before.name}`,
        })
      if (before) checkNext(before, read, folder)
      const made = keep(folder, read, { ...wanted, url }, got, before)
      write([...others.filter(({ name }) => name !== made.name), made])
      tidy(folder, list())
      return made
    },
    remove(name) {
      const rest = list().filter((each) => each.name !== name)
      if (rest.length === list().length) return false
      write(rest)
      tidy(folder, rest)
      return true
    },
    async refresh({ force = false, offline = false } = {}) {
      const notes: string[] = []
      for (const known of list()) {
        const age = Date.now() - Date.parse(known.fetched)
        if (offline || (!force && age >= 0 && age < FRESH_MS)) continue
        try {
          const { accept, fetchIndex } = await import('./index-fetch.ts')
          const { got } = await fetchIndex(known, around, known.etag)
          const fetched = new Date().toISOString()
          const next = got.status === 304 ? { ...known, fetched } : accept(folder, known, got)
          write(list().map((each) => (each.name === known.name ? next : each)))
          tidy(folder, list())
        } catch (error) {
          if (!(error instanceof CrosshookError)) throw error
          notes.push(
            `index ${known.name}: ${error.message}. What it said on ${known.issued.slice(0, 10)} is used.`,
          )
        }
      }
      for (const { name, expires } of list())
        if (expires !== undefined && Date.parse(expires) < Date.now())
          notes.push(
            `index ${name} has expired on ${expires.slice(0, 10)}: somebody may be holding newer ones back.`,
          )
      return notes
    },
    search: (words) => list().flatMap((known) => searchTable(folder, known, words)),
    find: (name) =>
      list().flatMap((index) => {
        const record = readRecord(folder, index, name)
        return record ? [{ index, record }] : []
      }),
  }
}
