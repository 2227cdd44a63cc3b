/** Where packs come from. Each kind of source is one file; nothing that it fetches is executed. */

import type { Provenance } from '../../sign/provenance.ts'
import type { PackFile } from '../files.ts'
import type { Origin } from '../lock-file.ts'

/** The environment of a request: programs and certificates to use, and where to report progress. */
export interface Surroundings {
  env: NodeJS.ProcessEnv
  /** Where crosshook keeps what it must remember. */
  stateDir: string
  cacheDir: string
  /** Told what takes long. */
  progress?: (text: string) => void
}

export interface Fetched {
  files: PackFile[]
  origin: Origin
  /** According to the source; proven only if an index signs it. */
  published?: string
  /** Of a package that is no pack. */
  version?: string
  /** Which workflow built it, if proven. */
  provenance?: Provenance
  /** Prefix of file names in problems. */
  root?: string
  /** Sentences that the person should read. */
  notes?: string[]
}
