/** A long list of events, of which only pages near the view are in memory. */

import { signal } from '@preact/signals'
import { get, type Params, type Problem } from './api.ts'
import { problemOf } from './load.ts'
import type { JournalRecord, SearchResult } from './types.ts'

export const PAGE_ROWS = 100
/** Most pages kept in memory. */
const MAX_PAGES = 30
/** Parallel requests; a browser has six connections to one host. */
const MAX_REQUESTS = 2
/** Browsers cannot draw taller elements; older events are found by time. */
const MAX_ROWS = 500_000

export interface EventList {
  /** Rows that can be scrolled to: all, or with a filter those found so far and one page more. */
  readonly total: { readonly value: number }
  /** Incremented for every page that arrives. */
  readonly version: { readonly value: number }
  readonly problem: { readonly value: Problem | undefined }
  /** The number of the newest record when the list was opened. */
  readonly newest: { readonly value: number }
  readonly isComplete: { readonly value: boolean }
  at(index: number): JournalRecord | undefined
  /** Loads what is missing there, and forgets what is far away. */
  need(from: number, to: number): void
  readonly pagesInMemory: number
  close(): void
}

export function openEventList(filters: Params): EventList {
  const isFiltered = Object.values(filters).some((value) => value !== undefined && value !== '')
  const pages = new Map<number, JournalRecord[]>()
  const loading = new Set<number>()
  /** Where each page begins; without filters that follows from the number of the newest record. */
  const begins: (number | undefined)[] = [undefined]
  const over = new AbortController()
  const total = signal(0)
  const version = signal(0)
  const problem = signal<Problem | undefined>(undefined)
  const newest = signal(0)
  const isComplete = signal(false)

  let wanted = { from: 0, to: 0 }

  /** Loads pages that are in view now, not those that were only scrolled past. */
  function loadWanted(): void {
    for (let page = wanted.from; page <= wanted.to; page++) {
      if (loading.size >= MAX_REQUESTS) return
      if (!pages.has(page) && !loading.has(page) && page < begins.length) void load(page)
    }
  }

  async function load(page: number): Promise<void> {
    loading.add(page)
    try {
      const records: JournalRecord[] = []
      let before = begins[page]
      for (;;) {
        const found = await get<SearchResult>(
          '/v1/journal/search',
          { ...filters, limit: PAGE_ROWS - records.length, before },
          over.signal,
        )
        records.push(...found.records)
        if (page === 0 && newest.value === 0) learn(found)
        before = found.next ?? undefined
        // A search that takes long answers with what it has found so far.
        if (before === undefined || records.length >= PAGE_ROWS) break
      }
      pages.set(page, records)
      if (isFiltered) grow(page, records.length, before)
      problem.value = undefined
    } catch (error) {
      if (!over.signal.aborted) problem.value = problemOf(error)
    } finally {
      loading.delete(page)
      version.value++
      if (problem.value === undefined) loadWanted()
    }
  }

  function learn({ first, last }: SearchResult): void {
    newest.value = last
    if (isFiltered) return
    total.value = Math.min(Math.max(0, last - first + 1), MAX_ROWS)
    const count = Math.ceil(total.value / PAGE_ROWS)
    for (let page = 1; page < count; page++) begins[page] = last - page * PAGE_ROWS + 1
    isComplete.value = true
  }

  function grow(page: number, length: number, next: number | undefined): void {
    if (next !== undefined) begins[page + 1] = next
    isComplete.value = next === undefined
    const known = (begins.length - 1) * PAGE_ROWS
    total.value = next === undefined && page === begins.length - 1 ? known + length : known + PAGE_ROWS
  }

  function forget(from: number, to: number): void {
    const middle = (from + to) / 2 / PAGE_ROWS
    while (pages.size > MAX_PAGES) {
      const farthest = [...pages.keys()].reduce((a, b) =>
        Math.abs(a - middle) > Math.abs(b - middle) ? a : b,
      )
      pages.delete(farthest)
    }
  }

  void load(0)
  return {
    total,
    version,
    problem,
    newest,
    isComplete,
    at: (index) => pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS],
    need(from, to) {
      wanted = { from: Math.floor(from / PAGE_ROWS), to: Math.floor(to / PAGE_ROWS) }
      loadWanted()
      forget(from, to)
    },
    get pagesInMemory() {
      return pages.size
    },
    close: () => over.abort(),
  }
}
