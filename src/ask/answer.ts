/** One person's answer from any channel: checked, stored if it is the first, and written to the journal. */

import type { Approver } from '../config/settings.ts'
import { mac, stateKey } from '../config/state-key.ts'
import { canonicalJson } from '../fast/digest.ts'
import type { Journal, JournalEntry } from '../journal/port.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Grant, Grants } from './grants.ts'
import { noteGrant } from './note.ts'
import { noteMissing, noteOnce } from './note-once.ts'
import { type Answer, type GONE, type GrantScope, type Question, SCOPES, SILENCE } from './question.ts'
import { type Questions, voteKind } from './questions.ts'
import { isSamePerson, isStill, mayAnswer, peopleOf, satisfies } from './who.ts'
import { closedWords, isSilence } from './words.ts'

/** What is needed to record and close a question. */
export interface Shelf {
  stateDir: string
  questions: Questions
  grants: Grants
  journal(): Journal
  /** The process that answers, for the journal. */
  source: JournalEntry['source']
  trouble(sentence: string): void
}

export interface Desk extends Shelf {
  /** The approvers in the settings at this moment. */
  approvers(): readonly Approver[]
}

export interface Given {
  decision: 'allow' | 'deny'
  words?: string | undefined
  /** A name proven by the channel. */
  by: string
  /** All names in the settings with the same key, passkey or account: one person. */
  names?: readonly string[] | undefined
  /** What in the settings proved the name: see `proofOf` in who.ts. */
  proof?: string | undefined
  via: string
  scope?: GrantScope | undefined
  /** How long a grant beyond `once` is valid, in milliseconds. */
  lasts?: number | undefined
  /** Digest of what the person was shown. Left out at this machine, where the question itself is shown. */
  digest?: string | undefined
  /** Signature by an approver's key; without it this machine signs. */
  signature?: string | undefined
}

export type Result =
  | { status: 'answered'; answer: Answer; grant?: Grant }
  /** One yes of several. */
  | { status: 'voted'; missing: number }
  /** The agent had given up: its next equal call is allowed once. */
  | { status: 'granted'; grant: Grant }

/** How long a grant from a late yes is valid. */
const LATE_GRANT_MS = 60 * 60_000
export const GRANT_MS = 8 * 60 * 60_000
const MAX_WORDS_CHARS = 2000

export function giveAnswer(desk: Desk, id: string, given: Given): Result {
  const question = desk.questions.get(id)
  if (!question)
    throw new CrosshookError('not_found', `there is no question "${id}"`, {
      fix: 'Run `crosshook approvals list` for the ids.',
    })
  const { decision, by, digest } = given
  if (digest !== undefined && digest !== question.digest)
    throw refused(`the answer is for another input than question ${id} asks about`)
  if (!mayAnswer(question, by))
    throw refused(
      `${by} may not answer question ${id}: ${question.approvers.join(', ') || 'people with a name'} may`,
    )
  const answer = toAnswer(desk, question, given)
  const closed = closedBefore(desk, question)
  if (closed) {
    if (isSilence(closed) && decision === 'allow') return late(desk, question, answer)
    throw refused(
      isSilence(closed)
        ? `question ${id} was refused already, ${closedWords(closed)}`
        : `question ${id} was answered already: ${closed.decision === 'allow' ? 'allowed' : 'denied'} by ${closed.by} (${closed.via})`,
    )
  }
  const enough = decision === 'deny' ? answer : enoughVotes(desk, question, answer)
  if (typeof enough === 'number') return { status: 'voted', missing: enough }
  if (!desk.questions.answer(enough)) return giveAnswer(desk, id, given) // somebody else was quicker
  noteOnce(desk, { question, kind: 'answer', answer: enough })
  const grant =
    decision === 'allow' && enough.scope !== 'once'
      ? giveGrant(desk, question, enough, Date.parse(enough.until!))
      : undefined
  return { status: 'answered', answer: enough, ...(grant ? { grant } : {}) }
}

/** Nobody answered in time, or before the agent left. False when somebody just did. */
export function closeInSilence(
  desk: Shelf,
  question: Question,
  by: typeof SILENCE | typeof GONE = SILENCE,
): boolean {
  const { id } = question
  const answer = toAnswer(desk, question, { decision: 'deny', by, via: by })
  if (!desk.questions.answer(answer)) return false
  noteOnce(desk, { question: desk.questions.get(id) ?? question, kind: 'answer', answer })
  return true
}

/** Cleans up after killed processes: expired questions, and answers missing from the journal. */
export function closeOverdue(desk: Shelf, grace = 2000): void {
  for (const question of desk.questions.open())
    if (Date.parse(question.deadline) + grace < Date.now()) closeInSilence(desk, question)
  noteMissing(desk)
}

function closedBefore(desk: Shelf, question: Question): Answer | undefined {
  const answer = desk.questions.answerOf(question.id)
  if (answer || Date.parse(question.deadline) > Date.now()) return answer
  closeInSilence(desk, question)
  return desk.questions.answerOf(question.id)
}

function toAnswer({ stateDir }: Shelf, { id, digest }: Question, given: Given): Answer {
  const { decision, words = '', by, names, proof, via, scope = 'once', lasts = GRANT_MS } = given
  const now = Date.now()
  const answer = {
    id,
    decision,
    words: words.slice(0, MAX_WORDS_CHARS),
    by,
    ...(names && names.length > 1 ? { names } : {}),
    ...(proof === undefined ? {} : { proof }),
    via,
    at: new Date(now).toISOString(),
    scope,
    ...(decision === 'allow' && scope !== 'once' ? { until: new Date(now + lasts).toISOString() } : {}),
    digest,
  }
  const signature = given.signature ?? `hmac-sha256:${mac(stateKey(stateDir), 'ask', canonicalJson(answer))}`
  return { ...answer, signature }
}

/** The answer with all votes, or the number of missing ones. */
function enoughVotes(desk: Desk, question: Question, answer: Answer): Answer | number {
  if (question.approvals <= 1) return answer
  const { id, approvals } = question
  const before = standing(desk, id).find((vote) => isSamePerson(vote, answer))
  if (before && before.by !== answer.by)
    throw refused(
      `${answer.by} and ${before.by}, who has said yes to question ${id}, have the same key or account: another person must`,
    )
  if (before || !desk.questions.vote(answer))
    throw refused(`${answer.by} has said yes to question ${id} already`)
  noteOnce(desk, { question, kind: voteKind(answer), answer })
  const votes = standing(desk, id)
  const people = peopleOf(votes)
  return satisfies(people, question) ? narrowest(answer, votes) : approvals - people.length
}

/** Votes of people who were removed from the settings, or have another key by now, do not count. */
function standing(desk: Desk, id: string): Answer[] {
  const votes = desk.questions.votes(id)
  const approvers = votes.some(({ proof }) => proof !== undefined) ? desk.approvers() : []
  return votes.filter((vote) => isStill(vote, approvers))
}

/** What all of them agreed to: the narrowest scope and the earliest end. */
function narrowest(last: Answer, votes: readonly Answer[]): Answer {
  const { until: _, ...answer } = last
  const scope = SCOPES.find((each) => votes.some((vote) => vote.scope === each))!
  const [until] = votes.flatMap((vote) => vote.until ?? []).sort()
  return {
    ...answer,
    scope,
    ...(scope === 'once' ? {} : { until: until! }),
    votes: votes.map((vote) => ({
      by: vote.by,
      via: vote.via,
      at: vote.at,
      scope: vote.scope,
      signature: vote.signature,
    })),
  }
}

function late(desk: Desk, question: Question, answer: Answer): Result {
  const enough = enoughVotes(desk, question, answer)
  if (typeof enough === 'number') return { status: 'voted', missing: enough }
  // The answer that closed the question stays; only one grant results.
  if (!desk.questions.answerLate(enough))
    throw refused(`question ${question.id} has been answered late already`)
  const { scope } = enough
  const until = scope === 'once' ? Date.now() + LATE_GRANT_MS : Date.parse(enough.until!)
  const grant = giveGrant(desk, question, enough, until)
  noteOnce(desk, { question, kind: 'late', answer: enough })
  return { status: 'granted', grant }
}

function giveGrant(desk: Desk, question: Question, answer: Answer, until: number): Grant {
  const { id, digest, agent, session_id, project, tool_name, summary } = question
  const { scope, via, by, votes } = answer
  const grant = desk.grants.give({
    digest,
    scope,
    agent,
    session_id,
    project,
    until: new Date(until).toISOString(),
    at: new Date().toISOString(),
    by: votes ? peopleOf(standing(desk, id)) : [by],
    via,
    question: id,
    tool_name,
    summary,
  })
  note(
    desk,
    noteGrant(desk.journal(), question, `grant ${grant.id} (${scope}) until ${grant.until}`, desk.source),
  )
  return grant
}

/** A permission in advance, by the person at this machine. */
export function giveAhead(
  desk: Desk,
  question: Question,
  { by, scope, lasts = GRANT_MS }: { by: string; scope: GrantScope; lasts?: number | undefined },
): Grant {
  if (!mayAnswer(question, by) || question.approvals > 1)
    throw refused(`${by} alone may not give a grant for question ${question.id}`)
  const answer = toAnswer(desk, question, { decision: 'allow', by, via: 'terminal', scope, lasts })
  return giveGrant(desk, question, answer, Date.now() + lasts)
}

function note(desk: Shelf, trouble: string | undefined): void {
  if (trouble !== undefined) desk.trouble(trouble)
}

function refused(message: string): CrosshookError {
  return new CrosshookError('refused', message, {
    fix: 'Run `crosshook approvals list` for what can still be answered.',
  })
}
