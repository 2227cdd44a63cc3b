/**
 * Talks to the hub in a process of its own, so that it costs no decision any time. It takes policies, sends the
 * journal, and reports whether the agents obey.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Desk } from '../ask/answer.ts'
import type { Journal } from '../journal/port.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { followAsks } from './asks.ts'
import { type Enrolment, edgeKey } from './enrolment.ts'
import { createClient, type HubClient, HubError } from './hub-client.ts'
import { mendPolicy } from './mend-policy.ts'
import { modeOf, readPolicyState } from './policy-state.ts'
import { activate, takePolicy } from './take-policy.ts'
import { heardHub, missedHub } from './too-old.ts'
import { createUploader } from './upload.ts'

export interface EdgeOptions {
  state: string
  fleet: string
  enrolment: Enrolment
  journal: Journal
  /** Where questions of agents wait for people. */
  desk: Desk
  /** Settings files: the person's, and those above the person. */
  settings: { own: readonly string[]; above: readonly string[] }
  home: string
  version: string
  /** Runs doctor. */
  prove(): Promise<Proof>
  trouble(sentence: string): void
  signal: AbortSignal
  /** Milliseconds; shorter in tests. */
  times?: Partial<Times>
}

export interface Proof {
  /** Per agent, the number of events on which it obeyed the canary. */
  agents: unknown[]
  alarms: Alarm[]
}

export interface Alarm {
  /** `heartbeat`: an agent calls tools without asking hooks. `drift`: hooks or policy were changed. */
  kind: 'heartbeat' | 'drift' | 'problem'
  agent?: string
  n: number
}

export interface Times {
  /** Between two uploads of the journal. */
  upload: number
  /** Between two proofs. */
  prove: number
  /** Longest pause between two attempts to reach the hub. */
  reconnect: number
  /** Between two polls of a question after its deadline. */
  lateLook: number
}

const TIMES: Times = { upload: 2000, prove: 3_600_000, reconnect: 10_000, lateLook: 30_000 }

/** Runs until the signal, or until the hub says that this machine was revoked. */
export async function runEdge(options: EdgeOptions): Promise<'stopped' | 'revoked'> {
  const { state, fleet, enrolment, trouble, signal } = options
  const times = { ...TIMES, ...options.times }
  const client = createClient(edgeKey(state), enrolment)
  const policy = () => readPolicyState(fleet, enrolment)
  const revoked = new AbortController()
  const ending = AbortSignal.any([signal, revoked.signal])
  // Problem with the policy, for the hub's page.
  let problem: string | null = null
  let isReportDue = true

  /** Decisions go on: the last good policy stays in force. */
  const failed = (error: unknown) => {
    const before = problem
    problem = messageOf(error).slice(0, 900)
    isReportDue = true
    if (problem !== before) trouble(problem)
  }
  const keepGuard = (keep: typeof heardHub) => {
    try {
      keep(fleet, policy())
    } catch (error) {
      failed(error)
    }
  }
  const heard = () => keepGuard(heardHub)
  let isLinked = true

  /** A state may have been written without its links. */
  function linkAgain(): void {
    try {
      activate(fleet, policy())
    } catch (error) {
      isLinked = false
      failed(error)
      throw notKept(error)
    }
    if (isLinked) return
    isLinked = true
    problem = null
    isReportDue = true
  }

  async function follow(): Promise<void> {
    const { revision, stage } = policy()
    linkAgain()
    for await (const event of client.events(`${revision}.${stage}`, ending)) {
      heard()
      if (event.name === 'revoked') return revoked.abort()
      if (event.name !== 'policy') continue
      try {
        if (await takePolicy({ fleet, enrolment, client }, event.data)) isReportDue = true
        if (problem !== null) isReportDue = true
        problem = null
      } catch (error) {
        failed(error)
        // What could not be stored, perhaps on a full disk, is sent again by the hub on request.
        if (!(error instanceof CrosshookError)) throw notKept(error)
      }
      heard()
    }
  }

  const uploader = createUploader(client, options.journal, enrolment)
  let provenAt = Number.NEGATIVE_INFINITY
  async function send(): Promise<void> {
    const isProofDue = Date.now() - provenAt > times.prove
    // First: a problem found here may be why nothing can be read or sent below.
    if (isReportDue || isProofDue) {
      isReportDue = false
      await report(client, options, problem, null)
    }
    await uploader.drain(policy(), ending)
    if (!isProofDue) return
    provenAt = Date.now()
    const proof = await options.prove()
    const mended = await mendPolicy(fleet, policy(), client)
    if (mended > 0) trouble(`${mended} files of the policy had been changed, and were put back.`)
    const drift: Alarm[] = mended > 0 ? [{ kind: 'drift', n: mended }] : []
    await report(client, options, problem, { ...proof, alarms: [...proof.alarms, ...drift] })
  }

  const loops = [
    again(
      () =>
        followAsks({
          client,
          settings: options.settings,
          home: options.home,
          desk: options.desk,
          edge: enrolment.id,
          trouble,
          signal: ending,
          lateLook: times.lateLook,
        }),
      () => times.reconnect,
      ending,
      (error) => giveUp(error, revoked, trouble),
    ),
    again(
      follow,
      () => Math.random() * times.reconnect,
      ending,
      (error) => {
        keepGuard(missedHub)
        giveUp(error, revoked, trouble)
      },
    ),
    again(
      send,
      () => times.upload,
      ending,
      (error) => {
        isReportDue = true
        giveUp(error, revoked, trouble)
      },
    ),
  ]
  await Promise.all(loops)
  return revoked.signal.aborted ? 'revoked' : 'stopped'
}

async function report(
  client: HubClient,
  { fleet, enrolment, version }: EdgeOptions,
  problem: string | null,
  proof: Proof | null,
): Promise<void> {
  const state = readPolicyState(fleet, enrolment)
  const { revision, stage } = state
  await client.call(
    'POST',
    '/fleet/proofs',
    JSON.stringify({
      ...{ revision, stage, mode: modeOf(state), version, problem },
      ...{ agents: proof?.agents ?? null, alarms: proof?.alarms ?? null },
    }),
  )
}

/** Already reported: only makes the loop try again. */
function notKept(error: unknown): HubError {
  return error instanceof HubError ? error : new HubError(messageOf(error), 0, '', error)
}

/** A hub that no longer knows this machine is not called again. */
function giveUp(error: unknown, revoked: AbortController, trouble: (sentence: string) => void): void {
  if (error instanceof HubError && error.status === 401 && /revoked/.test(error.body)) {
    trouble('The hub says that this machine is not enrolled any more. Its last policy stays in force.')
    revoked.abort()
  } else if (!(error instanceof HubError && error.status === 0)) trouble(messageOf(error))
}

async function again(
  work: () => Promise<unknown>,
  pause: () => number,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work()
    } catch (error) {
      if (!signal.aborted) failed(error)
    }
    await sleep(pause(), undefined, { signal }).catch(() => {})
  }
}
