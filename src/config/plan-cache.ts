/**
 * Compiled hooks, cached until a file changes. A plan decides which guards run, so it is used only with a valid MAC
 * made with the state folder's key: a forged, damaged or truncated file counts as missing.
 */

import { macWith } from '../fast/nh.ts'
import { messageOf } from '../spec/errors.ts'
import type { Problem } from '../spec/hook.ts'
import { readBytes } from '../spec/read-file.ts'
import { isCurrent } from './fingerprint.ts'
import type { HookSet } from './hook-set.ts'
import { isEqual, MAC_LENGTH, mac, readStateKey, stateKey } from './state-key.ts'
import { writeWhole } from './write-whole.ts'

export interface PlanPlace {
  file: string
  /** Everything the plan depends on: folders, version, sources. */
  key: string
  stateDir: string
}

/** Undefined when hooks must be read again. `any age`: the last plan even if outdated, to know which hooks existed. */
export function readPlan(
  { file, key, stateDir }: PlanPlace,
  age: 'current' | 'any age' = 'current',
): HookSet | undefined {
  try {
    const bytes = readBytes(file)
    const body = bytes.subarray(MAC_LENGTH + 1)
    const secret = readStateKey(stateDir)
    if (!secret || !isEqual(bytes.toString('latin1', 0, MAC_LENGTH), planMac(secret, body))) return undefined
    const plan = JSON.parse(body.toString('utf8')) as HookSet & { key: string }
    return plan.key === key && (age === 'any age' || isCurrent(plan.inputs)) ? plan : undefined
  } catch {
    return undefined // missing, unreadable or not authentic
  }
}

/** A failed write is a warning: hooks are then read at every call. */
export function writePlan({ file, key, stateDir }: PlanPlace, set: HookSet): Problem | undefined {
  try {
    const body = JSON.stringify({ key, ...set })
    const proof = planMac(stateKey(stateDir), Buffer.from(body))
    writeWhole(file, `${proof}\n${body}`)
    return undefined
  } catch (error) {
    return {
      level: 'warning',
      file,
      message: `compiled hooks cannot be cached: ${messageOf(error)}`,
      fix: 'Every call reads the hooks again, which is slower. Make the folder writable.',
    }
  }
}

/** In hexadecimal digits. HMAC alone takes a cold call a millisecond for the plan of 50 hooks. */
export function planMac(key: Uint8Array, body: Uint8Array): string {
  return macWith(key)?.('plan', body).toString('hex') ?? mac(key, 'plan', body)
}
