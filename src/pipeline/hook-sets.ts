/** The hooks that count for a folder, read again as soon as one of their files has changed. */

import { isCurrent, isRacy } from '../config/fingerprint.ts'
import { type HookSet, loadHookSet } from '../config/load.ts'
import type { SourceSetting } from '../config/settings.ts'
import type { TrustStore } from '../config/trust.ts'
import { type Watch, watchInputs } from '../config/watch.ts'
import type { Hook } from '../spec/hook.ts'
import { type Active, activate } from './active.ts'

export interface HookSetOptions {
  env: NodeJS.ProcessEnv
  trust: TrustStore
  sources?: readonly SourceSetting[]
  registered?: () => readonly Hook[]
  only?: string
  busy?: boolean
  stays?: boolean
}

export interface Known {
  set: HookSet
  active: Active
  /** Read so soon after a change that another one could not be told from it: good for one event only. Known when it is asked. */
  racy?: boolean
  readAt: number
  registered: readonly Hook[]
  watch: Watch
}

const NONE: readonly Hook[] = []
const MOST_FOLDERS = 200

/** A promise comes back only when files have to be read. */
export function createHookSets(options: HookSetOptions): (workDir: string) => Known | Promise<Known> {
  const { env, trust, sources, only, busy } = options
  const sets = new Map<string, Known>()
  /** Folders whose files were looked at in this turn of the event loop. */
  const proven = new Set<string>()

  function current(workDir: string): Known | Promise<Known> {
    const registered = options.registered?.() ?? NONE
    const known = sets.get(workDir)
    if (!known || isGoodForOne(known) || !(proven.has(workDir) || known.watch.isCurrent()))
      return load(workDir, registered)
    if (busy && proven.size === 0) setImmediate(() => proven.clear())
    if (busy) proven.add(workDir)
    if (known.registered === registered) return known
    return remember(workDir, { ...known, registered, active: activateAll(known.set, registered) })
  }

  async function load(workDir: string, registered: readonly Hook[]): Promise<Known> {
    const at = Date.now()
    const set = await loadHookSet({ env, workDir, ...(sources ? { sources } : {}) })
    const { inputs } = set
    return remember(workDir, {
      set,
      active: activateAll(set, registered),
      readAt: at,
      registered,
      watch: options.stays ? watchInputs(inputs) : { isCurrent: () => isCurrent(inputs) },
    })
  }

  function isGoodForOne(known: Known): boolean {
    known.racy ??= isRacy(known.set.inputs, known.readAt)
    return known.racy
  }

  function remember(workDir: string, known: Known): Known {
    if (sets.size > MOST_FOLDERS) sets.clear()
    sets.set(workDir, known)
    return known
  }

  function activateAll(set: HookSet, registered: readonly Hook[]): Active {
    const wanted = [...set.hooks, ...registered].filter(({ name }) => only === undefined || name === only)
    return activate(wanted, { trust, settings: set.settings })
  }

  return current
}
