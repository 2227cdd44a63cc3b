/**
 * Writes the record of an answer exactly once, even across kills: claimed before it is written and marked afterwards.
 * Records without a mark are added by the next process that looks at the questions.
 */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../config/is-alive.ts'
import { stateKey } from '../config/state-key.ts'
import type { Shelf } from './answer.ts'
import { APPROVAL, noteAnswered } from './note.ts'
import type { Answer, Question } from './question.ts'
import { createSealed, readSealed } from './sealed-file.ts'

/** Files with an answer: the one that counts, a late yes, each yes of several. */
const ANSWER_FILE = /^([a-z0-9]{4,32})\.(answer|late|vote-[0-9a-f]{16})$/

/** An older claim is abandoned, even if another process has the pid by now. */
const CLAIM_MS = 60_000

interface Claim {
  pid: number
  at: number
}

interface Kept {
  question: Question
  /** Extension of the answer's file. */
  kind: string
  answer: Answer
}

export function noteOnce(desk: Shelf, kept: Kept): void {
  const before = claim(desk, kept)
  if (before === 0) write(desk, kept)
  else if (before !== undefined) writeMissing(desk, [kept])
}

/** Adds records whose writer was killed. */
export function noteMissing(desk: Shelf): void {
  const names = new Set(readdirSync(desk.questions.folder))
  const missing = [...names].flatMap((name) => {
    const [, id = '', kind = ''] = ANSWER_FILE.exec(name) ?? []
    if (id === '' || names.has(`${id}.noted-${kind}`)) return []
    const question = desk.questions.get(id)
    const answer = read<Answer>(desk, `${id}.${kind}`)
    return question && answer ? [{ question, kind, answer }] : []
  })
  const ours = missing.filter((kept) => claim(desk, kept) !== undefined)
  if (ours.length > 0) writeMissing(desk, ours)
}

/** A killed writer may have reached the journal. */
function writeMissing(desk: Shelf, all: readonly Kept[]): void {
  const oldest = Math.min(...all.map(({ answer }) => Date.parse(answer.at)))
  const records = desk.journal().list({ event: APPROVAL, limit: -1, since: new Date(oldest - 1000) })
  const written = new Set(records.map(({ subject, approval }) => recordKey(subject, approval ?? {})))
  for (const kept of all)
    if (written.has(recordKey(kept.question.id, kept.answer))) mark(desk, kept)
    else write(desk, kept)
}

/** The last yes of several is both a vote and the answer: only the answer names the others. */
function recordKey(id: unknown, { at, by, votes }: { at?: unknown; by?: unknown; votes?: unknown }): string {
  return JSON.stringify([id, at, by, votes !== undefined])
}

function write(desk: Shelf, kept: Kept): void {
  const { question, kind, answer } = kept
  const isVote = kind.startsWith('vote-')
  const words = isVote ? `one of ${question.approvals} approvals. ${answer.words}`.trim() : answer.words
  // A question that was refused without asking anybody has no answer to record.
  const isTold = question.unheard !== true || kind !== 'answer'
  const trouble = isTold
    ? noteAnswered(desk.journal(), question, { ...answer, words }, desk.source)
    : undefined
  if (trouble === undefined) mark(desk, kept)
  else desk.trouble(trouble)
}

function mark({ stateDir, questions }: Shelf, { question, kind }: Kept): void {
  const file = join(questions.folder, `${question.id}.noted-${kind}`)
  createSealed(file, { id: question.id }, { key: stateKey(stateDir) })
}

/** Number of earlier claimants that were killed; undefined when it is written, or another process is about to. */
function claim(desk: Shelf, { question, kind }: Kept): number | undefined {
  const { stateDir, questions } = desk
  const own: Claim = { pid: process.pid, at: Date.now() }
  for (let before = 0; ; before++) {
    const name = `${question.id}.noting-${kind}.${before}`
    const other = readSealed<Claim>(join(questions.folder, name), { key: stateKey(stateDir) })
    if (other === 'forged') continue
    if (other && isAlive(other.pid) && own.at - other.at < CLAIM_MS) return undefined
    if (other) continue
    if (!createSealed(join(questions.folder, name), own, { key: stateKey(stateDir) })) return undefined
    return read(desk, `${question.id}.noted-${kind}`) === undefined ? before : undefined
  }
}

function read<T>({ stateDir, questions }: Shelf, name: string): T | undefined {
  const found = readSealed<T>(join(questions.folder, name), { key: stateKey(stateDir) })
  return found === 'forged' ? undefined : found
}
