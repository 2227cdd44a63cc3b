/**
 * `max_age: closed`: a machine that has not heard of its hub for so long refuses tools. The rule is a managed hook that
 * compares the event's time, so that it holds also where nothing of the fleet's runs any more.
 */

import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../config/write-whole.ts'
import type { PolicyState } from './policy-state.ts'

const NAME = 'fleet-policy-too-old'
/** The share of the time after which the hook is written again. Not sooner: hooks are read anew each time it changes. */
const RENEW_AFTER = 0.1

/** The hub was heard at `contact`. */
export function keepGuard(fleet: string, { max_age: age }: PolicyState, contact: number): void {
  const folder = join(fleet, 'guard')
  if (age?.after !== 'closed') {
    rmSync(folder, { recursive: true, force: true })
    return
  }
  const limit = age.hours * 3_600_000
  const file = join(folder, NAME, 'HOOK.md')
  const known = existsSync(file)
    ? Date.parse(/timestamp > "([^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? '')
    : Number.NaN
  if (known > contact + limit * (1 - RENEW_AFTER) && known <= contact + limit) return
  writeWhole(file, hookText(new Date(contact + limit).toISOString(), age.hours), 0o644)
}

function hookText(until: string, hours: number): string {
  return `---
name: ${NAME}
description: Refuses tools when this machine has not heard of its hub for ${hours} hours, as the fleet's policy says.
trigger: before_tool
on_failure: closed
when: timestamp > "${until}"
outcome:
  decision: deny
  reason: This machine has not heard of its hub for ${hours} hours, and the policy of its fleet then refuses tools. The person can see why with crosshook fleet status.
---
`
}
