/** The database below the state folder. Whatever happens to it, callers can go on without it. */

import { closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { CrosshookError, messageOf } from '../../spec/errors.ts'
import { withLock } from '../file-lock.ts'
import { writeAnchor } from './anchors.ts'
import type { Store } from './store.ts'
import { explain, isBusy, isCorrupt } from './store-errors.ts'
import { MIGRATIONS } from './tables.ts'

/** Runs `work` in one transaction. Returns a failure, since it must not change a decision. */
export function write(store: Store, work: (db: DatabaseSync) => void): CrosshookError | undefined {
  try {
    attempt(store, (db) => transact(db, work))
    return undefined
  } catch (error) {
    return explain(store.stateDir, error)
  }
}

const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>()

/** Caches prepared statements. */
export function prepared(db: DatabaseSync, sql: string): StatementSync {
  let known = statements.get(db)
  if (!known) statements.set(db, (known = new Map()))
  let statement = known.get(sql)
  if (!statement) known.set(sql, (statement = db.prepare(sql)))
  return statement
}

/** For people who want to see something: throws on failure. */
export function read<T>(store: Store, work: (db: DatabaseSync) => T): T {
  try {
    return attempt(store, work)
  } catch (error) {
    throw explain(store.stateDir, error)
  }
}

function attempt<T>(store: Store, work: (db: DatabaseSync) => T): T {
  try {
    return work(database(store))
  } catch (error) {
    if (!isCorrupt(error)) throw error
    release(store)
    replaceCorrupt(store, error)
    return work(database(store))
  }
}

/** Opens it again when it was missing, or when its file was removed or replaced while the process runs. */
function database(store: Store): DatabaseSync {
  if (store.handle && inodeOf(store.stateDir) !== store.handle.inode) release(store)
  if (!store.handle) reopen(store)
  if (!store.handle) throw store.error
  return store.handle.db
}

function reopen(store: Store): void {
  try {
    use(store, open(store.stateDir))
  } catch (error) {
    if (isCorrupt(error)) replaceCorrupt(store, error)
    else store.error = explain(store.stateDir, error)
  }
}

function use(store: Store, db: DatabaseSync): void {
  store.handle = { db, inode: inodeOf(store.stateDir) }
  delete store.error
}

/** Closes the database. */
export function release(store: Store): void {
  store.handle?.db.close()
  delete store.handle
}

function inodeOf(stateDir: string): bigint {
  return statSync(join(stateDir, 'journal.db'), { bigint: true, throwIfNoEntry: false })?.ino ?? -1n
}

/** Damaged databases that were set aside, oldest first. */
export function corruptCopies(stateDir: string): string[] {
  if (!existsSync(stateDir)) return []
  return readdirSync(stateDir)
    .filter((name) => /^journal\.db\.corrupt-\d+$/.test(name))
    .sort()
    .map((name) => join(stateDir, name))
}

function open(stateDir: string): DatabaseSync {
  const path = join(stateDir, 'journal.db')
  if (!existsSync(path)) {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 })
    // SQLite gives its other files this file's mode, and would make it readable for everybody.
    closeSync(openSync(path, 'a', 0o600))
  }
  // SQLite would wait for a pipe. Not by opening it: to close it again would take SQLite's locks of this process away.
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
      throw new CrosshookError('store', `${file} is not a plain file.`, {
        fix: 'Take it away; a new journal is begun.',
      })
  }
  const { DatabaseSync: Database } = sqlite()
  const db = new Database(path, { timeout: 5000 })
  try {
    // The write-ahead log is read at each start: keep it short.
    db.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 256')
    if (version(db) !== MIGRATIONS.length) migrate(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function migrate(db: DatabaseSync): void {
  useWal(db)
  transact(db, () => {
    const from = version(db)
    if (from > MIGRATIONS.length)
      throw new CrosshookError('store', 'The journal was written by a newer crosshook.', {
        fix: 'Update crosshook, or give this one a state folder of its own with CROSSHOOK_STATE_DIR.',
      })
    for (const statements of MIGRATIONS.slice(from)) db.exec(statements)
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
  })
}

// SQLite does not wait for other processes while it changes the journal mode, so we do.
function useWal(db: DatabaseSync): void {
  const patienceEnds = Date.now() + 5000
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || Date.now() > patienceEnds) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

function version(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version)
}

function transact(db: DatabaseSync, work: (db: DatabaseSync) => void): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    work(db)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Sets the damaged files aside and starts a new database, unless another process has just done so. */
function replaceCorrupt(store: Store, cause: unknown): void {
  const path = join(store.stateDir, 'journal.db')
  try {
    withLock(`${path}.lock`, () => {
      const sound = openSound(store.stateDir)
      if (sound) return use(store, sound)
      const aside = `${path}.corrupt-${Date.now()}`
      for (const suffix of ['', '-wal', '-shm'])
        if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix)
      const fresh = open(store.stateDir)
      use(store, fresh)
      const epoch = String(fresh.prepare("SELECT value FROM meta WHERE name = 'epoch'").get()?.value)
      writeAnchor(store.stateDir, { kind: 'begun', epoch, at: Date.now(), instead: aside }, store.seal)
      store.warnings.push(
        `The journal was damaged (${messageOf(cause)}). It was moved to ${aside} and a new one was started.`,
      )
    })
  } catch (error) {
    store.error = explain(store.stateDir, error)
  }
}

function openSound(stateDir: string): DatabaseSync | undefined {
  let db: DatabaseSync | undefined
  try {
    db = open(stateDir)
    if (db.prepare('PRAGMA quick_check(1)').get()?.quick_check === 'ok') return db
  } catch (error) {
    if (!isCorrupt(error)) throw error
  }
  db?.close()
  return undefined
}

// Node 22 prints a warning when this module is loaded, which an agent would take for a hook's output.
function sqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

/** For callers that may continue only when it was written. */
export function orThrow(error: CrosshookError | undefined): void {
  if (error) throw error
}
