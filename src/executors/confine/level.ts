/** How far programs can be confined on this machine. */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findHelper } from './helper.ts'
import { SANDBOX_EXEC } from './seatbelt.ts'

export interface Level {
  /** False: hooks that ask to be confined are not run. */
  confines: boolean
  words: string
}

/** The first Landlock version that also restricts signals and abstract sockets. */
const WHOLE_ABI = 6

export function confinementLevel(): Level {
  if (process.platform === 'darwin')
    return existsSync(SANDBOX_EXEC)
      ? { confines: true, words: 'by Seatbelt' }
      : { confines: false, words: `${SANDBOX_EXEC} is missing` }
  const helper = findHelper()
  if (helper === undefined)
    return {
      confines: false,
      words: `crosshook-confine is not installed for ${process.platform} ${process.arch}`,
    }
  const { status, stdout, stderr } = spawnSync(helper, ['--level'], { encoding: 'utf8' })
  const found = /"landlock": (\d+)/.exec(stdout ?? '')
  if (status !== 0 || !found)
    return {
      confines: false,
      words: (stderr ?? '').trim() || 'this kernel has no Landlock that is new enough (Linux 6.2)',
    }
  const abi = Number(found[1])
  const less =
    abi < WHOLE_ABI ? '; signals to other processes are not shut off before ABI 6 (Linux 6.12)' : ''
  return { confines: true, words: `by Landlock (ABI ${abi}) and seccomp${less}` }
}
