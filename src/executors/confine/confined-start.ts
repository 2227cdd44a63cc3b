/**
 * Turns a start into a confined one. What cannot be expressed or enforced is a failure: nothing runs with more rights
 * than declared.
 */

import { existsSync } from 'node:fs'
import { type Failure, failure } from '../../spec/outcome.ts'
import type { Start } from '../process.ts'
import { bubblewrapArguments, findBubblewrap } from './bubblewrap.ts'
import { findHelper, helperArguments } from './helper.ts'
import type { Policy } from './policy.ts'
import { SANDBOX_EXEC, seatbeltProfile } from './seatbelt.ts'

export function confinedStart(start: Start, policy: Policy): Start | Failure {
  const words = confinedArgv(policy, start.cwd)
  if (typeof words === 'string') return refused(words)
  const [file, ...args] = [...words, start.file, ...start.args]
  return { ...start, file: file!, args }
}

/** The words before the program, or why it cannot be confined. */
export function confinedArgv(policy: Policy, cwd: string): string[] | string {
  if (process.platform === 'darwin') {
    if (!existsSync(SANDBOX_EXEC)) return `${SANDBOX_EXEC} is missing`
    return [SANDBOX_EXEC, '-p', seatbeltProfile(policy)]
  }
  if (process.platform !== 'linux') return `programs cannot be confined on ${process.platform}`
  const helper = findHelper()
  if (helper === undefined)
    return `crosshook-confine for linux ${process.arch} is not installed (it comes with the relay's package)`
  if (policy.sockets.length === 0) return [helper, ...helperArguments(policy)]
  const bubblewrap = findBubblewrap()
  if (bubblewrap === undefined)
    return 'Unix sockets can be named only with bubblewrap (bwrap), which is not installed'
  return [bubblewrap, ...bubblewrapArguments(policy, helper, cwd)]
}

export function refused(why: string): Failure {
  return failure(`It asks to be confined, but ${why}; it was not run`, { retryable: false })
}
