/** One person's answer, whatever channel it came by: checked, kept as the first one, and written into the journal. */

import { mac, stateKey } from '../config/state-key.ts'
import { canonicalJson } from '../fast/digest.ts'
import type { Journal, JournalEntry } from '../journal/port.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Grant, Grants } from './grants.ts'
import { noteAnswered, noteGrant } from './note.ts'
import { type Answer, type GONE, type GrantScope, type Question, SILENCE } from './question.ts'
import type { Questions } from './questions.ts'
import { mayAnswer, satisfies } from './who.ts'
import { closedWords, isSilence } from './words.ts'

export interface Desk {
  stateDir: string
  questions: Questions
  grants: Grants
  journal(): Journal
  /** The process that answers, for the journal. */
  source: JournalEntry['source']
  trouble(sentence: string): void
}

export interface Given {
  decision: 'allow' | 'deny'
  words?: string | undefined
  /** A name that the channel has proven. */
  by: string
  via: string
  scope?: GrantScope | undefined
  /** How long a grant beyond `once` holds, in milliseconds. */
  lasts?: number | undefined
  /** What the person was shown. Left out by the person at this machine, who is shown the question itself. */
  digest?: string | undefined
  /** Of an approver's key; without it this machine signs. */
  signature?: string | undefined
}

export type Result =
  | { status: 'answered'; answer: Answer; grant?: Grant }
  /** One yes of several. */
  | { status: 'voted'; missing: number }
  /** The agent had given up: its next equal call is let through once. */
  | { status: 'granted'; grant: Grant }

/** How long a grant from a late yes holds, in milliseconds. */
const LATE_GRANT_MS = 60 * 60_000
export const GRANT_MS = 8 * 60 * 60_000
const LONGEST_WORDS = 2000

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
  if (!desk.questions.answer(enough)) return giveAnswer(desk, id, given) // somebody was quicker
  note(desk, noteAnswered(desk.journal(), question, enough, desk.source))
  const grant =
    decision === 'allow' && enough.scope !== 'once'
      ? giveGrant(desk, question, enough, Date.parse(enough.until!))
      : undefined
  return { status: 'answered', answer: enough, ...(grant ? { grant } : {}) }
}

/** Nobody answered in time, or before the agent went. False when somebody just did. */
export function closeInSilence(
  desk: Desk,
  question: Question,
  by: typeof SILENCE | typeof GONE = SILENCE,
): boolean {
  const { id } = question
  const answer = toAnswer(desk, question, { decision: 'deny', by, via: by })
  if (!desk.questions.answer(answer)) return false
  if (!question.unheard)
    note(desk, noteAnswered(desk.journal(), desk.questions.get(id) ?? question, answer, desk.source))
  return true
}

/** Questions whose time is over although nobody waits for them any more: their process was killed. */
export function closeOverdue(desk: Desk, grace = 2000): void {
  for (const question of desk.questions.open())
    if (Date.parse(question.deadline) + grace < Date.now()) closeInSilence(desk, question)
}

function closedBefore(desk: Desk, question: Question): Answer | undefined {
  const answer = desk.questions.answerOf(question.id)
  if (answer || Date.parse(question.deadline) > Date.now()) return answer
  closeInSilence(desk, question)
  return desk.questions.answerOf(question.id)
}

function toAnswer({ stateDir }: Desk, { id, digest }: Question, given: Given): Answer {
  const { decision, words = '', by, via, scope = 'once', lasts = GRANT_MS } = given
  const now = Date.now()
  const answer = {
    id,
    decision,
    words: words.slice(0, LONGEST_WORDS),
    by,
    via,
    at: new Date(now).toISOString(),
    scope,
    ...(decision === 'allow' && scope !== 'once' ? { until: new Date(now + lasts).toISOString() } : {}),
    digest,
  }
  const signature = given.signature ?? `hmac-sha256:${mac(stateKey(stateDir), 'ask', canonicalJson(answer))}`
  return { ...answer, signature }
}

/** The answer with everybody's vote, or how many are missing. */
function enoughVotes(desk: Desk, question: Question, answer: Answer): Answer | number {
  if (question.approvals <= 1) return answer
  if (!desk.questions.vote(answer))
    throw refused(`${answer.by} has said yes to question ${question.id} already`)
  const votes = desk.questions.votes(question.id)
  const by = votes.map((vote) => vote.by)
  if (!satisfies(by, question)) {
    note(
      desk,
      noteAnswered(
        desk.journal(),
        question,
        { ...answer, words: `one of ${question.approvals} approvals. ${answer.words}`.trim() },
        desk.source,
      ),
    )
    return question.approvals - new Set(by).size
  }
  return {
    ...answer,
    votes: votes.map(({ by: name, via, at, signature }) => ({ by: name, via, at, signature })),
  }
}

function late(desk: Desk, question: Question, answer: Answer): Result {
  const enough = enoughVotes(desk, question, answer)
  if (typeof enough === 'number') return { status: 'voted', missing: enough }
  // The answer that closed the question stays; only one grant comes of it.
  if (!desk.questions.take(question.id))
    throw refused(`question ${question.id} has been answered late already`)
  const { scope } = enough
  const until = scope === 'once' ? Date.now() + LATE_GRANT_MS : Date.parse(enough.until!)
  const grant = giveGrant(desk, question, enough, until)
  note(desk, noteAnswered(desk.journal(), question, enough, desk.source))
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
    by: votes ? votes.map((vote) => vote.by) : [by],
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

/** A yes before anybody asks again, by the person at this machine. */
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

function note(desk: Desk, trouble: string | undefined): void {
  if (trouble !== undefined) desk.trouble(trouble)
}

function refused(message: string): CrosshookError {
  return new CrosshookError('refused', message, {
    fix: 'Run `crosshook approvals list` for what can still be answered.',
  })
}
