/** The stage `ask` with a person behind it: grants first, then the agent's own dialog, then crosshook's channels. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../config/repository.ts'
import type { ApprovalSettings } from '../config/settings.ts'
import { now as clock } from '../fast/clock.ts'
import type { Ask } from '../pipeline/ask.ts'
import type { Context } from '../pipeline/context.ts'
import { messageOf } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import type { Outcome } from '../spec/outcome.ts'
import { closeInSilence, type Shelf } from './answer.ts'
import { agentShowsIt } from './attended.ts'
import { deadlineOf } from './deadline.ts'
import { openGrants } from './grants.ts'
import { isSame, makeQuestion, type Pinned, pin, type Redaction } from './make-question.ts'
import { noteAsked, noteGrant } from './note.ts'
import { present } from './presence.ts'
import { type Answer, GONE, type Question, SILENCE } from './question.ts'
import { equalKey, openQuestions } from './questions.ts'
import { needsHost, reach } from './reach.ts'
import { actsKey, PER_MINUTE, sessionMemory } from './session-memory.ts'
import { isWaitedFor } from './waiter.ts'
import { type Required, requiredBy } from './who.ts'
import * as words from './words.ts'

export interface AskOptions {
  stateDir: string
  /** Starts the daemon when none runs, without waiting for it; undefined where that is forbidden. */
  startHost?: (() => void) | undefined
  /** Of the pipeline, which has learnt the secrets of the event's environment. */
  redact: Redaction['redact']
  redactDeep: Redaction['redactDeep']
}

export interface Asking {
  ask: Ask
  /** Refuses all waiting calls, because the process ends; the questions can be answered late. */
  stop(): void
}

/** How long questions are kept after they were asked, in milliseconds. */
const KEPT_MS = 7 * 24 * 3_600_000
const FORGET_EVERY_MS = 3_600_000
/** Number of sessions that may together ask as much as each alone. */
const SESSIONS = 5
/** How long an answer to a process that was killed while waiting counts for an equal call. */
const UNTAKEN_MS = 10 * 60_000

export function createAsking({ stateDir, startHost, redact, redactDeep }: AskOptions): Asking {
  const questions = openQuestions(stateDir)
  const grants = openGrants(stateDir)
  const stopping = new AbortController()
  /** Waiting calls of this process, by question. */
  const waiting = new Map<string, number>()
  let forgotten = 0

  async function ask(context: Context): Promise<Outcome | undefined> {
    if (!context.agent || context.dryRun) return undefined
    const settings = context.set!.settings.approvals ?? {}
    const why = context.outcome.reason ?? ''
    try {
      return await decide(context, settings)
    } catch (error) {
      context.services.trouble(`a question could not be asked: ${messageOf(error)}`)
      if (agentShowsIt(context)) return undefined
      return { decision: 'deny', reason: words.brokenReason(why, messageOf(error)) }
    }
  }

  async function decide(context: Context, settings: ApprovalSettings): Promise<Outcome | undefined> {
    const pinned = await pin(context)
    const required = requiredBy(askingHooks(context))
    const granted = useGrant(context, pinned, required)
    if (granted) return granted
    const reached = reach({
      settings,
      agentShowsIt: () =>
        required.approvers.length === 0 && required.approvals === 1 && agentShowsIt(context),
      present: () => present(stateDir),
      mayUseHost: startHost !== undefined,
      isEnrolled: existsSync(join(stateDir, 'fleet', 'enrolment.json')),
    })
    if (reached.to === 'agent') return undefined
    forget()
    const desk = deskOf(context)
    const now = Date.now()
    const began = now - (clock() - context.startedAt)
    const native = context.event.native_event ?? context.event.event_type
    const deadline = await deadlineOf(context.agent!, native, { began, most: settings.wait })
    const make = () =>
      makeQuestion(context, pinned, {
        id: newId(),
        now,
        deadline: reached.to === 'nobody' ? now : deadline,
        ...required,
        via: reached.to === 'channels' ? reached.channels : [],
        journal: context.services.journal(),
        redact,
        redactDeep,
      })
    const perMinute = settings.per_minute ?? PER_MINUTE
    // Inventing session ids does not allow more questions.
    const everybody = sessionMemory(stateDir, '', '')
    const memory = sessionMemory(stateDir, context.agent!.id, context.event.session_id)
    /** Undefined when this session asks too much. */
    const asked = (): Question | undefined => {
      const full = [memory, everybody].find(
        (each) => !each.mayAsk(now, perMinute * (each === memory ? 1 : SESSIONS)),
      )
      if (full) {
        if (full.isNewFlood(now)) {
          const last: Question = { ...make(), unheard: true }
          questions.flood(last)
          closeInSilence(desk, last)
        }
        return undefined
      }
      const before = memory.deniedBefore(actsKey(pinned.acts), pinned.digest)
      return begin({ ...make(), ...(before === undefined ? {} : { repeats: before }) }, context)
    }
    if (reached.to === 'nobody') {
      const question: Question = { ...make(), unheard: true }
      questions.put(question)
      closeInSilence(desk, question)
      return { decision: 'deny', reason: words.unheardReason(question) }
    }
    const gone = context.gone?.()
    for (;;) {
      const question = joined(pinned, context, deadline) ?? asked()
      if (!question) {
        return { decision: 'deny', reason: words.floodReason(perMinute, context.outcome.reason ?? '') }
      }
      if (needsHost(reached.channels)) startHost?.()
      const answer = await waited(desk, question, deadline, gone)
      // An equal call in another process has gone while this one still waits: ask separately.
      if (answer.by === GONE && !gone?.aborted && Date.now() < deadline) continue
      return outcomeOf(answer, { question, pinned, context, began })
    }
  }

  function useGrant(context: Context, pinned: Pinned, required: Required): Outcome | undefined {
    const { agent, event, services, door } = context
    const { work_dir, session_id } = event
    const project = repositoryRoot(work_dir) ?? work_dir
    const grant = grants.use({ digest: pinned.digest, agent: agent!.id, session_id, project }, required)
    if (!grant) return undefined
    const { id, scope, by, tool_name, summary, question } = grant
    const trouble = noteGrant(
      services.journal(),
      { id: question, agent: agent!.id, session_id, work_dir, tool_name, summary },
      `grant ${id} (${scope}) of ${by.join(', ')} used`,
      door,
    )
    if (trouble !== undefined) services.trouble(trouble)
    return { decision: 'allow', reason: `Allowed by grant ${id} of ${by.join(', ')}.` }
  }

  /** An equal open question, or one whose answer nobody could carry out. */
  function joined(pinned: Pinned, { agent, event }: Context, deadline: number): Question | undefined {
    const key = equalKey({ agent: agent!.id, session_id: event.session_id, digest: pinned.digest })
    const found = questions.equal(key)
    if (!found || found.unheard) return undefined
    const answer = questions.answerOf(found.id)
    if (answer) {
      const isFresh = Date.now() - Date.parse(answer.at) < UNTAKEN_MS
      return isFresh && !words.isSilence(answer) && !questions.isTaken(found.id) ? found : undefined
    }
    if (Date.parse(found.deadline) <= Date.now()) return undefined
    const isOrphan = !isWaitedFor(found)
    const ends = Date.parse(found.deadline)
    if (ends >= deadline && !isOrphan) return found
    // A killed process's question keeps its deadline; a new waiter may extend it.
    const until = isOrphan ? ends : Math.max(ends, deadline)
    const changed = { ...found, deadline: new Date(until).toISOString(), waiter: process.pid }
    questions.change(changed)
    return changed
  }

  /** Stored and in the journal before anybody waits. */
  function begin(question: Question, { services, door }: Context): Question {
    // The record first: a process killed in between leaves no question unknown to the journal.
    const trouble = noteAsked(services.journal(), question, door)
    if (trouble !== undefined) services.trouble(trouble)
    questions.put(question)
    questions.remember(equalKey(question), question.id)
    return question
  }

  async function waited(
    desk: Shelf,
    question: Question,
    deadline: number,
    gone: AbortSignal | undefined,
  ): Promise<Answer> {
    const { id } = question
    const until = Math.min(deadline, Date.parse(question.deadline))
    waiting.set(id, (waiting.get(id) ?? 0) + 1)
    const signal = gone ? AbortSignal.any([stopping.signal, gone]) : stopping.signal
    const answer = await questions.wait(id, until, signal)
    const others = waiting.get(id)! - 1
    if (others > 0) waiting.set(id, others)
    else waiting.delete(id)
    if (answer) return answer
    const hasGone = gone?.aborted === true
    // Other calls here still wait for the same answer.
    if (hasGone && others > 0) return goneAnswer(question)
    closeInSilence(desk, question, hasGone ? GONE : SILENCE)
    return questions.answerOf(id)!
  }

  function outcomeOf(
    answer: Answer,
    {
      question,
      pinned,
      context,
      began,
    }: { question: Question; pinned: Pinned; context: Context; began: number },
  ): Outcome {
    if (words.isSilence(answer))
      return { decision: 'deny', reason: words.silentReason(question, (Date.now() - began) / 1000) }
    questions.take(question.id)
    if (answer.decision === 'deny') {
      const { agent, session_id, id, digest } = question
      sessionMemory(stateDir, agent, session_id).noteDenied(id, actsKey(pinned.acts), digest)
    }
    if (answer.decision === 'deny') return { decision: 'deny', reason: words.deniedReason(question, answer) }
    if (!isSame(pinned, context)) return { decision: 'deny', reason: words.changedReason(question) }
    const said = answer.words.trim()
    return {
      decision: 'allow',
      reason: words.allowedReason(answer),
      ...(said === ''
        ? {}
        : {
            additional_context: [
              ...(context.outcome.additional_context ?? []),
              `${words.personWords(answer.by)}, who allowed this call, says: ${said}`,
            ],
          }),
    }
  }

  function deskOf({ services, door }: Context): Shelf {
    const { journal, trouble } = services
    return { stateDir, questions, grants, journal, source: door, trouble }
  }

  function forget(): void {
    if (Date.now() - forgotten < FORGET_EVERY_MS) return
    forgotten = Date.now()
    questions.forget(KEPT_MS)
  }

  return { ask, stop: () => stopping.abort() }
}

/** The hooks that want a person to decide. */
function askingHooks({ steps, ran }: Context): Hook[] {
  const names = new Set(ran!.reports.filter(({ asked }) => asked).map(({ name }) => name))
  return steps.flatMap(({ hooks }) => hooks.map(({ hook }) => hook)).filter(({ name }) => names.has(name))
}

/** For a call that nobody waits for, while others still wait for the question. */
function goneAnswer({ id, digest }: Question): Answer {
  const at = new Date().toISOString()
  return { id, decision: 'deny', words: '', by: GONE, via: GONE, at, scope: 'once', digest, signature: '' }
}

/** Short, since people type it; without similar-looking letters. */
function newId(): string {
  const { randomInt } = process.getBuiltinModule('node:crypto')
  return Array.from({ length: 8 }, () => 'abcdefghjkmnpqrstuvwxyz23456789'[randomInt(31)]).join('')
}
