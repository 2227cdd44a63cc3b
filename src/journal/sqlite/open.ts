/** A journal of files and one SQLite database below the state folder. */

import { redactDeep } from '../../redact/redact.ts'
import type { Answers, Journal, JournalOptions } from '../port.ts'
import { cache } from './cached-answers.ts'
import { counters } from './counters.ts'
import { read } from './database.ts'
import { appendTogether, isOverfull, record } from './intake.ts'
import { metaOf } from './meta.ts'
import { journal } from './records.ts'
import { lastCalls, oneRecord, search } from './search.ts'
import { LIMITS, openStore } from './store.ts'
import { countBy, hookSums, hookTotals } from './sums.ts'
import { catchUp, takeInSoon } from './take-in.ts'
import { verify } from './verify.ts'

/** Opens nothing before it is needed: an agent's call does not wait for the database. */
export function openJournal(stateDir: string, options: JournalOptions = {}): Journal {
  const store = openStore(stateDir)
  let answers: Answers | undefined
  const use = ({ limits, durability, seal }: JournalOptions) => {
    if (limits) store.limits = { ...LIMITS, ...limits }
    if (durability) store.durability = durability
    if (seal) store.seal = seal
  }
  use(options)
  const current = <T>(work: Parameters<typeof read<T>>[1]): T => {
    catchUp(store)
    return read(store, work)
  }
  return {
    stateDir,
    append: (entry, counts) => record(store, entry, counts),
    appendTogether: (calls) => appendTogether(store, calls),
    list: (filter) => journal(store).list(filter),
    follow: (filter, signal) => journal(store).follow(filter, signal),
    epoch: () => read(store, (db) => metaOf(db, 'epoch') ?? ''),
    counts: () => counters(store).read(),
    countBy: (dimensions, since, filter) => current((db) => countBy(db, dimensions, since, filter)),
    hookSums: (query) => current((db) => hookSums(db, query)),
    hookTotals: () => current(hookTotals),
    search: (filter, range) => current((db) => search(db, filter, range)),
    record: (seq) => current((db) => oneRecord(db, seq)),
    lastCalls: () => current(lastCalls),
    verify: () => redactDeep(verify(store)),
    get answers() {
      return (answers ??= cache(store))
    },
    get waiting() {
      return store.waiting ?? 0
    },
    get isOverfull() {
      return isOverfull(store)
    },
    letWait(bytes) {
      store.patience = bytes
      store.isLasting = true
    },
    forgetWaiting() {
      store.waiting = 0
    },
    takeInSoon: (leave, isWanted) => takeInSoon(store, leave, isWanted),
    use,
    warnings: () => (store.warnings.length === 0 ? NO_WARNINGS : store.warnings.splice(0)),
    close: () => store.close(),
  }
}

const NO_WARNINGS: readonly string[] = []
