/** An agent that is sent back to work for ever is no use: so many blocks in one turn, then it may stop. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isBlock } from '../engine/merge.ts'
import { sessionStateDir } from '../journal/session-state.ts'
import { eventRow, type HookEvent } from '../spec/event.ts'
import type { Outcome } from '../spec/outcome.ts'

const MOST_IN_A_ROW = 8

export function limitStops(
  stateDir: string,
  event: HookEvent,
  outcome: Outcome,
): { outcome: Outcome; notes: string[] } {
  const row = eventRow(event.event_type)
  if (row.begins === 'turn') rmSync(folder(stateDir, event), { recursive: true, force: true })
  if (row.block !== 'continues' || !isBlock(outcome)) return { outcome, notes: [] }
  const file = join(folder(stateDir, event), event.event_type)
  const count = read(file) + 1
  writeFileSync(file, String(count))
  if (count <= MOST_IN_A_ROW) return { outcome, notes: [] }
  const { decision: _decision, stop: _stop, reason, ...rest } = outcome
  const note = `hooks sent the agent back to work ${MOST_IN_A_ROW} times in this turn; now it may stop (${reason ?? 'no reason given'})`
  return { outcome: { ...rest, user_message: note }, notes: [note] }
}

function folder(stateDir: string, event: HookEvent): string {
  return sessionStateDir(stateDir, 'stops in this turn', event.session_id)
}

function read(file: string): number {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || 0
  } catch {
    return 0 // none yet in this turn
  }
}
