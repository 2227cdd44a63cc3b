/**
 * `npm run check:ask [-- ROUNDS]`: 1,000 questions at once, then the host killed while 100 wait, again and again. Nothing
 * may be allowed without a yes, every answer that was given in time is carried out, silence is refused in time, and no
 * question and no answer may be missing from the journal.
 */

import { giveAnswer } from '../src/ask/answer.ts'
import { APPROVAL } from '../src/ask/note.ts'
import type { Question } from '../src/ask/question.ts'
import { messageOf } from '../src/spec/errors.ts'
import { type AskPlace, askPlace, type Decision, followQuestions } from './ask/place.ts'

const rounds = Number(process.argv[2] ?? 200)
const AT_ONCE = 1000
const WAITING = 100
/** Calls through the real relay; each one on the cold path starts a Node process. */
const RELAYS = 4
/** Separate hosts that run at the same time: while one restarts, the other is asked. */
const LANES = 2
/** After this many rounds a new state folder is used, without the questions of earlier rounds. */
const ROUNDS_OF_A_HOME = 25
/** How long a question waits, in seconds: long enough that all are asked and answered on a machine with much else to do. */
const WAIT_SECONDS = 15
/** A round without answers takes as long as a question waits, so only one of this many rounds is such a round. */
const SILENT_EVERY = 10
/** Seconds after a question's deadline within which its refusal must come when the host was killed before. */
const SLACK = 15
/** Attempts of one call before it counts as neither allowed nor refused. */
const MAX_TRIES = 10
let failed = false

function check(name: string, isRight: boolean, detail: string): void {
  if (!isRight) failed = true
  console.log(`${isRight ? 'ok    ' : 'FAILED'} ${name} ${detail}`)
}

async function manyAtOnce(): Promise<void> {
  const place = askPlace(300)
  try {
    await place.start()
    const began = performance.now()
    const asked = followQuestions(place)
    // An overloaded host answers some calls with 429 and Retry-After.
    let again = 0
    const calls = Array.from({ length: AT_ONCE }, async (_, n) => {
      const decision = await place.call(`session-${n}`, `deploy ${n}`)
      if (decision !== 'lost') return decision
      again++
      return place.call(`session-${n}`, `deploy ${n}`)
    })
    await asked.reached(AT_ONCE)
    asked.stop()
    const waited = performance.now()
    const yes = new Set<string>()
    for (const [n, question] of place.desk.questions.open().entries()) {
      const decision = n % 2 === 0 ? 'allow' : 'deny'
      if (decision === 'allow') yes.add(question.session_id)
      giveAnswer(place.desk, question.id, { decision, by: 'local', via: 'terminal' })
    }
    const decisions = await Promise.all(calls)
    const wrong = decisions.filter((decision, n) => decision !== (yes.has(`session-${n}`) ? 'allow' : 'deny'))
    check(
      'at once',
      wrong.length === 0,
      `${AT_ONCE} questions waited after ${((waited - began) / 1000).toFixed(1)} s, all answered after ${((performance.now() - waited) / 1000).toFixed(1)} s, ${wrong.length} wrongly, ${again} at the second try`,
    )
    const missing = missingFromJournal(place, place.desk.questions.list())
    check('at once', missing.length === 0, `${missing.length} missing from the journal`)
  } finally {
    place.close()
  }
}

interface Sum {
  rounds: number
  allowed: number
  denied: number
  /** Calls that the host's end broke off, which were made again. */
  lost: number
  /** Seconds of the slowest refusal for silence, after the end of its question. */
  slowest: number
  unasked: string[]
  wrong: string[]
  missing: string[]
}

async function killRounds(): Promise<void> {
  const sum: Sum = {
    rounds: 0,
    allowed: 0,
    denied: 0,
    lost: 0,
    slowest: Number.NEGATIVE_INFINITY,
    unasked: [],
    wrong: [],
    missing: [],
  }
  const began = performance.now()
  let next = 0
  const lane = async () => {
    while (next < rounds) {
      const place = askPlace(WAIT_SECONDS)
      try {
        await place.start()
        for (let n = 0; n < ROUNDS_OF_A_HOME && next < rounds; n++) {
          await killRound(place, next++, sum)
          if (++sum.rounds % 10 === 0)
            console.log(
              `       ${sum.rounds} rounds: ${sum.allowed} allowed, ${sum.denied} denied; ${sum.unasked.length} allowed without a yes, ${sum.wrong.length} wrong, ${sum.missing.length} missing`,
            )
        }
      } finally {
        place.close()
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(LANES, rounds) }, lane))
  const told = (what: string, all: string[]) =>
    check('killed', all.length === 0, `${all.length} ${what} ${all.slice(0, 5).join(' | ')}`)
  told('allowed without a yes', sum.unasked)
  told('with another answer than the person gave', sum.wrong)
  told('missing from the journal', sum.missing)
  check(
    'killed',
    sum.slowest <= SLACK,
    `silence is refused ${Math.max(0, sum.slowest).toFixed(1)} s after the question's end, or sooner`,
  )
  check(
    'killed',
    sum.rounds === rounds,
    `${sum.rounds} kills while ${WAITING} waited: ${sum.lost} calls broke off, ${sum.allowed} allowed, ${sum.denied} denied; ${((performance.now() - began) / 1000 / rounds).toFixed(1)} s for each`,
  )
}

/** A third is answered before or around the kill, a third while the host starts again, a third after it or not at all. */
async function killRound(place: AskPlace, round: number, sum: Sum): Promise<void> {
  const isSilent = round % SILENT_EVERY === SILENT_EVERY - 1
  const names = Array.from({ length: WAITING }, (_, n) => `r${round}-${n}`)
  const chosen = new Map(names.map((name) => [name, Math.random() < 0.5 ? 'allow' : 'deny'] as const))
  const carried = new Set<string>()
  const late = new Set<string>()
  const part = ({ session_id }: Pick<Question, 'session_id'>) => Number(session_id.split('-')[1]) % 3
  const say = (question: Question) => {
    if (place.desk.questions.answerOf(question.id)) return
    const decision = chosen.get(question.session_id)!
    try {
      const given = giveAnswer(place.desk, question.id, { decision, by: 'local', via: 'terminal' })
      if (given.status === 'answered') carried.add(question.session_id)
      // A late yes allows the next identical call, which is the retry of a call that was cut off.
      if (given.status === 'granted') late.add(question.session_id)
    } catch (error) {
      if (!/nobody answered in time|its agent has gone/.test(messageOf(error))) throw error
    }
  }
  const ask = (name: string, n: number) =>
    n < RELAYS ? place.relay(name, `deploy ${name}`) : place.call(name, `deploy ${name}`)

  const asked = followQuestions(place)
  const first = names.map(ask)
  await asked.reached(WAITING)
  const open = [...asked.questions]
  const isKilledFirst = Math.random() < 0.5
  if (isKilledFirst) place.kill()
  for (const question of open) if (part(question) === 0) say(question)
  if (!isKilledFirst) place.kill()
  const restarted = place.start()
  // What a relay does by its cold path, an agent's own retry does over HTTP: the same call again, and again where a host
  // that has just started tells some to come later. Each such call has a question of its own when the first one is over.
  const again = first.map(async (call, n): Promise<[Decision, number]> => {
    let decision = await call
    for (let tries = 0; decision === 'lost' && tries < MAX_TRIES; tries++) {
      sum.lost++
      await restarted
      decision = await ask(names[n]!, n)
    }
    return [decision, Date.now()]
  })
  for (const question of open) if (part(question) === 1) say(question)
  await restarted
  if (!isSilent) for (const question of open) if (part(question) === 2) say(question)
  // An answer that the killed host had stored but not delivered is fetched by a retry.
  asked.each((question) => {
    if (!open.includes(question) && !(isSilent && part(question) === 2)) say(question)
  })
  const decisions = await Promise.all(again)
  asked.stop()
  const ends = new Map([...asked.questions].map(({ id, session_id }) => [session_id, endOf(place, id)]))
  for (const [n, [decision, at]] of decisions.entries()) {
    const name = names[n]!
    sum[decision === 'allow' ? 'allowed' : 'denied']++
    const right = carried.has(name) ? chosen.get(name) : 'deny'
    if (late.has(name)) continue
    if (decision === 'allow' && right !== 'allow') sum.unasked.push(name)
    else if (decision !== right) sum.wrong.push(`${name}: ${decision}, not ${right}`)
    if (!carried.has(name)) sum.slowest = Math.max(sum.slowest, (at - ends.get(name)!) / 1000)
  }
  sum.missing.push(...missingFromJournal(place, asked.questions))
}

/** The deadline of the last question of a call: a retry may have made a later one. */
function endOf({ desk }: AskPlace, id: string): number {
  return Date.parse(desk.questions.get(id)!.deadline)
}

function missingFromJournal({ journal }: AskPlace, questions: Iterable<Question>): string[] {
  const all = [...questions]
  const since = new Date(Math.min(...all.map(({ at }) => Date.parse(at))) - 1000)
  const records = journal.list({ event: APPROVAL, limit: -1, since })
  const ids = (isAsk: boolean) =>
    new Set(records.filter(({ decision }) => (decision === 'ask') === isAsk).map(({ subject }) => subject))
  const [asked, answered] = [ids(true), ids(false)]
  return all.flatMap(({ id }) => [
    ...(asked.has(id) ? [] : [`question ${id}`]),
    ...(answered.has(id) ? [] : [`answer to ${id}`]),
  ])
}

await manyAtOnce()
await killRounds()
process.exitCode = failed ? 1 : 0
