/** Foreign entries that a person has looked at and accepted. */

import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeDurably } from '../journal/write-durably.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { readText } from '../spec/read-file.ts'
import type { ForeignEntry } from './foreign.ts'

export interface Accepted {
  fingerprint: string
  agent: string
  event: string
  command: string
  at: string
}

export function readAccepted(state: string): Accepted[] {
  const file = fileIn(state)
  if (!existsSync(file)) return []
  try {
    return (JSON.parse(readText(file)) as { entries: Accepted[] }).entries
  } catch (error) {
    throw new CrosshookError('store', `${file} cannot be read: ${messageOf(error)}`, {
      fix: 'Repair or remove it; entries must then be accepted again.',
      cause: error,
    })
  }
}

export function accept(state: string, entries: readonly ForeignEntry[]): void {
  const at = new Date().toISOString()
  const known = readAccepted(state)
  const fresh = entries
    .filter(({ fingerprint }) => !known.some((each) => each.fingerprint === fingerprint))
    .map(({ fingerprint, agent, event, command }): Accepted => ({ fingerprint, agent, event, command, at }))
  const unique = [...new Map(fresh.map((each) => [each.fingerprint, each])).values()]
  mkdirSync(state, { recursive: true, mode: 0o700 })
  writeDurably(fileIn(state), `${JSON.stringify({ version: 1, entries: [...known, ...unique] }, null, 2)}\n`)
}

function fileIn(state: string): string {
  return join(state, 'accepted.json')
}
