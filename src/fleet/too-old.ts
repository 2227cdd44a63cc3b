/**
 * `max_age: closed`: a machine that has not heard from its hub for too long refuses tools. The rule is a managed hook
 * that compares the event's time, so it holds even when no fleet process runs any more. Setting the wall clock back
 * does not extend it: times before the hub's last contact are refused, and the time since then is counted by the
 * monotonic clock.
 */

import { existsSync, rmSync } from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { writeWhole } from '../config/write-whole.ts'
import { readText } from '../spec/read-file.ts'
import type { PolicyState } from './policy-state.ts'

const NAME = 'fleet-policy-too-old'
/** Share of the time after which the hook is rewritten. Not sooner: hooks are read again each time it changes. */
const RENEW_AFTER = 0.1
/** Share by which clocks may differ before anything is written. */
const NOTICED = 0.01
/** How far a clock may be corrected without consequence; at most RENEW_AFTER of the time. */
const SET_RIGHT_MS = 10 * 60_000

export interface Clocks {
  /** Wall clock, in milliseconds. */
  wall: number
  /** Milliseconds since boot, including sleep. */
  running: number
}

export const clocks = (): Clocks => ({ wall: Date.now(), running: uptime() * 1000 })

/** How long the hub was not heard, as of the last check. */
const silenceSchema = z.object({ spent: z.number().nonnegative(), wall: z.number(), running: z.number() })
type Silence = z.infer<typeof silenceSchema>

/** Call when the hub was heard. */
export function heardHub(fleet: string, policy: PolicyState, now: Clocks = clocks()): void {
  const limit = limitOf(fleet, policy)
  if (limit === undefined) return
  const known = windowIn(fleet)
  const isFresh =
    known && known.until > now.wall + limit * (1 - RENEW_AFTER) && known.until <= now.wall + limit
  if (isFresh && known.from <= now.wall) return
  writeSilence(fleet, { spent: 0, ...now })
  writeWindow(fleet, { from: now.wall - marginOf(limit), until: now.wall + limit }, policy)
}

/** Call when it was not: time passes, whatever the wall clock says. */
export function missedHub(fleet: string, policy: PolicyState, now: Clocks = clocks()): void {
  const limit = limitOf(fleet, policy)
  const known = windowIn(fleet)
  if (limit === undefined || !known) return
  const before = silenceIn(fleet) ?? { spent: 0, wall: known.until - limit, running: now.running }
  const spent = before.spent + Math.max(0, now.wall - before.wall, now.running - before.running)
  const until = now.wall + limit - spent
  const isWrong = until < known.until - limit * NOTICED || now.wall < known.from
  if (isWrong || spent > before.spent + limit * NOTICED) writeSilence(fleet, { spent, ...now })
  if (isWrong) writeWindow(fleet, { from: now.wall - marginOf(limit), until }, policy)
}

interface Window {
  /** Tools are allowed between these. */
  from: number
  until: number
}

/** Undefined, and no guard, when the policy has no maximum age. */
function limitOf(fleet: string, { max_age: age }: PolicyState): number | undefined {
  if (age?.after === 'closed') return age.hours * 3_600_000
  rmSync(join(fleet, 'guard'), { recursive: true, force: true })
  return undefined
}

function marginOf(limit: number): number {
  return Math.min(SET_RIGHT_MS, limit * RENEW_AFTER)
}

function windowIn(fleet: string): Window | undefined {
  const file = hookFile(fleet)
  const text = existsSync(file) ? readText(file) : ''
  const [, until = '', from = ''] = /timestamp > "([^"]+)" \|\| timestamp < "([^"]+)"/.exec(text) ?? []
  const found = { from: Date.parse(from), until: Date.parse(until) }
  return Number.isNaN(found.from + found.until) ? undefined : found
}

function writeWindow(fleet: string, { from, until }: Window, { max_age }: PolicyState): void {
  const [first, last] = [from, until].map((time) => new Date(time).toISOString())
  writeWhole(hookFile(fleet), hookText(first!, last!, max_age!.hours), 0o644)
}

function hookFile(fleet: string): string {
  return join(fleet, 'guard', NAME, 'HOOK.md')
}

function silenceFile(fleet: string): string {
  return join(fleet, 'silence.json')
}

function silenceIn(fleet: string): Silence | undefined {
  try {
    return silenceSchema.parse(JSON.parse(readText(silenceFile(fleet))))
  } catch {
    return undefined // the hook says when the hub was heard
  }
}

function writeSilence(fleet: string, silence: Silence): void {
  writeWhole(silenceFile(fleet), `${JSON.stringify(silence)}\n`, 0o644)
}

function hookText(from: string, until: string, hours: number): string {
  return `---
name: ${NAME}
description: Refuses tools when this machine has not heard of its hub for ${hours} hours, as the fleet's policy says.
trigger: before_tool
on_failure: closed
when: timestamp > "${until}" || timestamp < "${from}"
outcome:
  decision: deny
  reason: This machine has not heard of its hub for ${hours} hours, or its clock was set back since then, and the policy of its fleet then refuses tools. The person can see why with crosshook fleet status.
---
`
}
