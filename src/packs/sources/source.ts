/** Where packs come from. Each kind of source is one file; nothing of what it brings is executed. */

import type { Provenance } from '../../sign/provenance.ts'
import type { PackFile } from '../files.ts'
import type { Origin } from '../lock-file.ts'

/** How requests look: whose programs and certificates are used, and what the person is told meanwhile. */
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
  /** As the source says; not proven unless an index signs it. */
  published?: string
  /** Of a package that is no pack. */
  version?: string
  /** Which workflow built it, where that is proven. */
  provenance?: Provenance
  /** What file names in problems begin with. */
  root?: string
  /** Sentences that the person should read. */
  notes?: string[]
}
