/**
 * The hub as a channel to people: questions waiting on this machine go there, and answers come back through the same
 * desk as those of other channels. Where the policy names approvers by key, the hub's word is not enough.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { type Desk, giveAnswer } from '../ask/answer.ts'
import { GONE, type Question, SCOPES, SILENCE } from '../ask/question.ts'
import { namesOf } from '../ask/same-person.ts'
import { LOCAL, proofOf } from '../ask/who.ts'
import { type Approver, readSettings } from '../config/settings.ts'
import { verify } from '../sign/signature.ts'
import { messageOf } from '../spec/errors.ts'
import type { HubClient } from './hub-client.ts'
import { answerText } from './wire/answer-text.ts'

export interface AsksContext {
  client: HubClient
  /** Settings files that name approvers: the person's, and those above the person. */
  settings: { own: readonly string[]; above: readonly string[] }
  home: string
  desk: Desk
  /** The id of this machine. */
  edge: string
  trouble(sentence: string): void
  signal: AbortSignal
  /** How often a question is polled after its deadline, in milliseconds. */
  lateLook: number
}

/** How long the hub holds a request that waits for an answer. */
const HOLD_MS = 20_000
/** How long a question is polled after its deadline: a late yes is a grant for the next equal call. */
const LATE_MS = 3_600_000
const RETRY_MS = 1000

/** Until the signal. */
export async function followAsks(context: AsksContext): Promise<void> {
  const { desk, signal } = context
  const carried = new Set<string>()
  const look = () => {
    for (const question of desk.questions.open()) {
      if (carried.has(question.id) || Date.parse(question.deadline) <= Date.now()) continue
      carried.add(question.id)
      void carry(context, question)
        .catch((error: unknown) =>
          context.trouble(`a question could not be put to the hub: ${messageOf(error)}`),
        )
        .finally(() => carried.delete(question.id))
    }
  }
  const stop = desk.questions.follow((name) => name.endsWith('.question') && look())
  look()
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
  stop()
}

/** Characters. */
const MAX_TEXT_CHARS = 4000
const MAX_VOTES = 100

const answerSchema = z.object({
  state: z.enum(['open', 'allow', 'deny']),
  scope: z.enum(SCOPES).nullable(),
  reason: z.string().max(MAX_TEXT_CHARS).nullable(),
  decided_by: z.string().max(MAX_TEXT_CHARS).nullable(),
  input_digest: z.string().max(MAX_TEXT_CHARS),
  signer: z.string().nullish(),
  signature: z.string().nullish(),
  /** The votes, where several people had to agree. */
  votes: z
    .array(
      z.object({
        person: z.string().max(MAX_TEXT_CHARS),
        scope: z.enum(SCOPES),
        reason: z.string().max(MAX_TEXT_CHARS),
        signer: z.string().nullish(),
        signature: z.string().nullish(),
      }),
    )
    .max(MAX_VOTES)
    .default([]),
})

type HubAnswer = z.infer<typeof answerSchema>

async function carry(context: AsksContext, question: Question): Promise<void> {
  const { client, desk, edge, signal, trouble, lateLook } = context
  const deadline = Date.parse(question.deadline)
  const isOver = () => signal.aborted || Date.now() > deadline + LATE_MS || isAnswered(desk, question)
  const asked = JSON.stringify(askedOf(question, deadline))
  const hubId = `${edge}-${question.id}`
  let isPosted = false
  let found: HubAnswer | undefined
  while (!isOver()) {
    try {
      if (!isPosted) await client.call('POST', '/fleet/asks', asked, signal)
      isPosted = true
      const wait = Math.max(0, Math.min(HOLD_MS, deadline - Date.now()))
      const text = await client.call('GET', `/fleet/asks?id=${hubId}&wait=${Math.round(wait)}`, '', signal)
      const answer = answerSchema.parse(JSON.parse(text.toString('utf8')))
      if (answer.state !== 'open') {
        found = answer
        break
      }
      if (wait === 0) await sleep(lateLook, undefined, { signal }).catch(() => {})
    } catch (error) {
      if (signal.aborted) return
      trouble(messageOf(error))
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
  if (found) await settle(context, question, hubId, found)
}

/** Answered on this machine. Silence does not count: a late yes is still valid. */
function isAnswered(desk: Desk, { id }: Question): boolean {
  const answer = desk.questions.answerOf(id)
  return answer !== undefined && answer.via !== SILENCE && answer.via !== GONE
}

/** What people at the hub are shown: everything redacted, as on the machine's own page. */
function askedOf(question: Question, deadline: number): object {
  const { id, agent, agent_title, session_id, tool_name, event, work_dir, summary, why, digest } = question
  const { hooks, input, acts, scripts, approvers, approvals, repeats } = question
  return {
    ...{
      id,
      input_digest: digest,
      deadline,
      agent,
      agent_title,
      session_id,
      tool_name,
      event,
      work_dir,
      summary,
    },
    ...{ reason: why, hooks, input, acts, scripts, approvers, approvals },
    ...(repeats === undefined ? {} : { repeats }),
  }
}

async function settle(
  { desk, settings, home }: AsksContext,
  question: Question,
  hubId: string,
  { state, scope, reason, decided_by, input_digest, signer, signature, votes }: HubAnswer,
): Promise<void> {
  const decision = state as 'allow' | 'deny'
  const all =
    votes.length > 0
      ? votes
      : [{ person: decided_by ?? 'the hub', scope: scope ?? 'once', reason: reason ?? '', signer, signature }]
  const { approvers, isProofNeeded } = await approversIn(settings, home)
  const proven = all.map((vote): typeof vote & { proof?: string } => {
    if (RESERVED.includes(vote.person))
      throw notCounted(question, `the hub has no right to the name ${vote.person}`)
    // A deny needs no proof: without an answer the result is the same.
    const isKnown = approvers.some(({ name }) => name === vote.person)
    if (decision === 'deny' || (!isProofNeeded && !isKnown)) return vote
    const given = { id: hubId, input_digest, decision, scope: vote.scope, reason: vote.reason }
    const own = approvers.filter(({ key }) => key !== undefined && key === vote.signer)
    const approver = own.find((each) => each.name === vote.person) ?? own[0]
    if (approver === undefined || !verify(vote.signer!, 'answer', answerText(given), vote.signature))
      throw notCounted(question, 'it was not signed by an approver whose key this machine knows')
    return { ...vote, person: approver.name, proof: proofOf(approver, 'key') }
  })
  // Several votes agree only on the narrowest scope.
  const narrowest = SCOPES.find((each) => proven.some((vote) => vote.scope === each))!
  for (const vote of proven)
    giveAnswer(desk, question.id, {
      decision,
      words: vote.reason,
      by: vote.person,
      names: await namesOf(vote.person, approvers),
      proof: vote.proof,
      via: 'hub',
      scope: narrowest,
      digest: input_digest,
      ...(vote.signature ? { signature: `ed25519:${vote.signature}` } : {}),
    })
}

/** Reserved names on this machine: nobody at a hub can have them. */
const RESERVED: readonly string[] = [LOCAL, SILENCE, GONE]

function notCounted({ id }: Question, why: string): Error {
  return new Error(`an answer of the hub to question ${id} is not counted: ${why}`)
}

/**
 * The approvers of this machine's settings and the policy. Where the level above the person names keys, a yes needs
 * one. Unreadable settings might name anybody: then no yes counts.
 */
async function approversIn(
  { own, above }: AsksContext['settings'],
  home: string,
): Promise<{ approvers: readonly Approver[]; isProofNeeded: boolean }> {
  const [all, higher] = await Promise.all([readSettings([...own, ...above], home), readSettings(above, home)])
  const broken = all.problems.find(({ level }) => level === 'error')
  if (broken)
    throw new Error(
      `it is not known who may answer: ${broken.file}: ${broken.message}. No yes of the hub counts.`,
    )
  return {
    approvers: all.settings.approvals.approvers ?? [],
    isProofNeeded: (higher.settings.approvals.approvers ?? []).some(({ key }) => key !== undefined),
  }
}
