/**
 * The hub as one more channel to people: questions that wait on this machine go there, and the answer comes back to whoever
 * waits, by the same desk as every other channel's. Where the policy names approvers by their keys, the hub's word is not enough.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type Desk, giveAnswer } from '../ask/answer.ts'
import { GONE, type Question, SCOPES, SILENCE } from '../ask/question.ts'
import { readSettings } from '../config/settings.ts'
import { verify } from '../sign/signature.ts'
import { messageOf } from '../spec/errors.ts'
import type { HubClient } from './client.ts'
import { answerText } from './wire/answer.ts'

export interface AsksContext {
  client: HubClient
  /** The settings file of the policy in force. */
  settings: string
  desk: Desk
  /** The id of this machine. */
  edge: string
  trouble(sentence: string): void
  signal: AbortSignal
  /** How often a question is looked at after its deadline, in milliseconds. */
  lateLook: number
}

/** How long the hub holds a request that waits for an answer, in milliseconds. */
const HOLD_MS = 20_000
/** How long a question is looked at after its deadline: a late yes is a grant for the next equal call. */
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

const answerSchema = z.object({
  state: z.enum(['open', 'allow', 'deny']),
  scope: z.enum(SCOPES).nullable(),
  reason: z.string().nullable(),
  decided_by: z.string().nullable(),
  input_digest: z.string(),
  signer: z.string().nullish(),
  signature: z.string().nullish(),
  /** Where several people had to say yes: what each of them said. */
  votes: z
    .array(
      z.object({
        person: z.string(),
        scope: z.enum(SCOPES),
        reason: z.string(),
        signer: z.string().nullish(),
        signature: z.string().nullish(),
      }),
    )
    .default([]),
})

type HubAnswer = z.infer<typeof answerSchema>

async function carry(
  { client, settings, desk, edge, signal, trouble, lateLook }: AsksContext,
  question: Question,
): Promise<void> {
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
  if (found) settle(desk, question, hubId, found, await approversIn(settings))
}

/** Somebody else has, on this machine. Silence is no answer: a late yes still counts. */
function isAnswered(desk: Desk, { id }: Question): boolean {
  const answer = desk.questions.answerOf(id)
  return answer !== undefined && answer.via !== SILENCE && answer.via !== GONE
}

/** What people at the hub are shown: all of it without secrets, as on the machine's own page. */
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

function settle(
  desk: Desk,
  question: Question,
  hubId: string,
  { state, scope, reason, decided_by, input_digest, signer, signature, votes }: HubAnswer,
  approvers: Readonly<Record<string, string>>,
): void {
  const decision = state as 'allow' | 'deny'
  const all =
    votes.length > 0
      ? votes
      : [{ person: decided_by ?? 'the hub', scope: scope ?? 'once', reason: reason ?? '', signer, signature }]
  // A deny needs no proof: it is what silence would come to.
  const isProofNeeded = Object.keys(approvers).length > 0 && decision === 'allow'
  const proven = all.map((vote) => {
    if (!isProofNeeded) return vote
    const given = { id: hubId, input_digest, decision, scope: vote.scope, reason: vote.reason }
    const name = Object.keys(approvers).find((each) => approvers[each] === vote.signer)
    if (name === undefined || !verify(vote.signer!, 'answer', answerText(given), vote.signature))
      throw new Error(
        `an answer to question ${question.id} was not signed by an approver whom the policy names: it is not counted`,
      )
    return { ...vote, person: name }
  })
  // Of several people's yes the narrowest is what all of them said.
  const narrowest = SCOPES.find((each) => proven.some((vote) => vote.scope === each))!
  for (const vote of proven)
    giveAnswer(desk, question.id, {
      decision,
      words: vote.reason,
      by: vote.person,
      via: 'hub',
      scope: narrowest,
      digest: input_digest,
      ...(vote.signature ? { signature: `ed25519:${vote.signature}` } : {}),
    })
}

/** Names and public keys, from the settings of the policy in force. */
async function approversIn(file: string): Promise<Record<string, string>> {
  const { settings } = await readSettings([file], '/')
  const named = settings.approvals.approvers ?? []
  return Object.fromEntries(named.flatMap(({ name, key }) => (key === undefined ? [] : [[name, key]])))
}
