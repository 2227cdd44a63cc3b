/** Every hook that applies in a folder, and what it was made of. */

import type { Hook, Problem } from '../spec/hook.ts'
import type { Fingerprints } from './fingerprint.ts'
import type { Settings, SourceSetting } from './settings.ts'

export interface HookSet {
  hooks: Hook[]
  /** Stand-ins for hooks that do not load; see `Hook.broken`. */
  broken: Hook[]
  problems: Problem[]
  settings: Settings
  /** Files and folders that the result depends on. */
  inputs: Fingerprints
  /** The folders that were searched for project hooks. */
  projects: string[]
}

export interface LoadOptions {
  env: NodeJS.ProcessEnv
  workDir: string
  /** Where the session began: that project's hooks apply as well. */
  startDir?: string
  /** Only these sources, whatever is installed. */
  sources?: readonly SourceSetting[]
  /** Only managed hooks. Their programs are confined and their failures block, unless the hook says otherwise. */
  managedOnly?: boolean
  /** Do not read or write the cache. */
  fresh?: boolean
  /** What was read before: tells what an unreadable hook was. */
  before?: HookSet
}
