/** Limits how often hooks may refuse a stop in one turn, so that the turn ends. */

import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isBlock } from '../../engine/merge.ts'
import { sessionStateDir } from '../../journal/session-state.ts'
import { messageOf } from '../../spec/errors.ts'
import { eventRow, type HookEvent } from '../../spec/event.ts'
import type { Outcome } from '../../spec/outcome.ts'
import { readText } from '../../spec/read-file.ts'

const MAX_BLOCKS_PER_TURN = 8

export function limitStops(
  stateDir: string,
  event: HookEvent,
  outcome: Outcome,
): { outcome: Outcome; notes: string[] } {
  const row = eventRow(event.event_type)
  try {
    if (row.begins === 'turn') forget(stateDir, event)
    if (row.block !== 'continues' || !isBlock(outcome)) return { outcome, notes: [] }
    if (count(stateDir, event, outcome.reason ?? '') <= MAX_BLOCKS_PER_TURN) return { outcome, notes: [] }
  } catch (error) {
    // A counter that cannot be stored must not change a decision.
    return { outcome, notes: [`stops of this turn cannot be counted: ${messageOf(error)}`] }
  }
  const { decision: _decision, stop: _stop, reason, ...rest } = outcome
  const note = `hooks sent the agent back to work ${MAX_BLOCKS_PER_TURN} times in this turn; now it may stop (${reason ?? 'no reason given'})`
  return { outcome: { ...rest, user_message: note }, notes: [note] }
}

/** File format: the count on the first line, then the last reason. */
function count(stateDir: string, event: HookEvent, reason: string): number {
  const file = join(folder(stateDir, event), event.event_type)
  const [number = ''] = read(file).split('\n')
  const next = (Number.parseInt(number, 10) || 0) + 1
  writeFileSync(file, `${next}\n${reason}`)
  return next
}

/** Some agents send our reason to themselves as a prompt. That must not start a new turn, or they would never end. */
function forget(stateDir: string, event: HookEvent): void {
  const own = folder(stateDir, event)
  const prompt = typeof event.prompt === 'string' ? event.prompt : ''
  const isOurs = readdirSync(own).some((name) => {
    const reason = read(join(own, name)).split('\n').slice(1).join('\n')
    return reason !== '' && prompt.includes(reason)
  })
  if (!isOurs) rmSync(own, { recursive: true, force: true })
}

function folder(stateDir: string, event: HookEvent): string {
  return sessionStateDir(stateDir, 'stops in this turn', event.session_id)
}

function read(file: string): string {
  try {
    return readText(file)
  } catch {
    return '' // none yet in this turn
  }
}
