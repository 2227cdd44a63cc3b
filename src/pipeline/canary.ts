/**
 * The canary of `doctor`: an event from a folder that only doctor makes, inside the state folder, is answered with a
 * deny. It cannot weaken anything: where the agent cannot be stopped, and from every other folder, hooks run as ever.
 */

import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { HookEvent } from '../spec/event.ts'

export const CANARY_MARK = 'crosshook-canary-'

export function canaryFolder(state: string): string {
  return join(state, 'canary')
}

/** The reason of the deny; undefined for every real event. */
export function canaryReason({ work_dir }: Pick<HookEvent, 'work_dir'>, state: string): string | undefined {
  if (!work_dir.includes(CANARY_MARK)) return undefined
  const name = basename(work_dir)
  if (!name.startsWith(CANARY_MARK)) return undefined
  try {
    if (realpathSync(dirname(work_dir)) !== realpathSync(canaryFolder(state))) return undefined
  } catch {
    return undefined // there is no such folder: not doctor's
  }
  return `This is ${name}: crosshook is wired.`
}
