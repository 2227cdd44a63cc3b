/** What one process knows of the journal below a state folder. */

import type { DatabaseSync } from 'node:sqlite'
import type { CrosshookError } from '../../spec/errors.ts'
import type { JournalLimits, Summary } from '../port.ts'
import type { Seal } from './chain.ts'
import { release } from './database.ts'
import { letGo, type OpenFile, type Unchained } from './intake.ts'
import type { Written } from './segments.ts'

export interface Store {
  readonly stateDir: string
  /** Why the database cannot be used at present. */
  error?: CrosshookError
  /** What a person should know although work goes on. */
  readonly warnings: string[]
  /**
   * Closes the files; a later call opens them again. Not needed before `process.exit`, which is faster: nothing is
   * lost, while the last process to close would first write everything to the disk.
   */
  close(): void
  /** For `read` and `write` only. */
  handle?: Handle
  /** The intake file while it is open: see intake.ts. */
  file?: OpenFile
  /** Records collected for one write: see `appendTogether`. */
  gathered?: Summary & { lines: Unchained[] }
  /** What this process has written to the intake file. */
  written?: Written
  /** Approximate number of bytes that wait for the database: see `takeInSoon`. */
  waiting?: number
  /** Bytes that may wait before they are taken in between events. */
  patience?: number
  isTakingIn?: boolean
  /** A resident process: what is not needed for an answer is done after it. */
  isLasting?: boolean
  seal?: Seal | undefined
  durability?: 'normal' | 'full' | undefined
  limits: JournalLimits
}

export const LIMITS: JournalLimits = {
  records: 20_000,
  bytes: 64 * 1024 * 1024,
  age: Number.POSITIVE_INFINITY,
  statsAge: 400 * 86_400_000,
}

interface Handle {
  db: DatabaseSync
  inode: bigint
}

/** The database is opened at the first read: an agent's call does not wait for it. */
export function openStore(stateDir: string): Store {
  const store: Store = { stateDir, warnings: [], limits: LIMITS, close: () => closeAll(store) }
  return store
}

function closeAll(store: Store): void {
  letGo(store)
  if (store.handle) release(store)
}
