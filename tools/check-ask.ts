/**
 * `npm run check:ask [-- ROUNDS]`: 1,000 questions at once, then the host killed while 100 wait, again and again. Nothing
 * may be allowed without a yes, and no question and no answer may be missing from the journal.
 */

import { giveAnswer } from '../src/ask/answer.ts'
import { APPROVAL } from '../src/ask/note.ts'
import { type AskPlace, askPlace, type Decision, noticed } from './ask/place.ts'

const rounds = Number(process.argv[2] ?? 200)
const AT_ONCE = 1000
const WAITING = 100
/** Through the real relay, whose cold path is a process of Node each. */
const RELAYS = 4
let failed = false

function check(name: string, isRight: boolean, detail: string): void {
  if (!isRight) failed = true
  console.log(`${isRight ? 'ok    ' : 'FAILED'} ${name} ${detail}`)
}

async function manyAtOnce(): Promise<void> {
  const place = askPlace(300)
  try {
    place.start()
    const began = performance.now()
    const questions = noticed(place, AT_ONCE)
    const calls = Array.from({ length: AT_ONCE }, (_, n) => place.call(`session-${n}`, `deploy ${n}`))
    await questions.all
    const asked = performance.now()
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
      `${AT_ONCE} questions waited after ${((asked - began) / 1000).toFixed(1)} s, all answered after ${((performance.now() - asked) / 1000).toFixed(1)} s, ${wrong.length} wrongly`,
    )
    check('at once', isInJournal(place, AT_ONCE), 'every question and answer is in the journal')
  } finally {
    place.close()
  }
}

function isInJournal({ journal }: AskPlace, count: number): boolean {
  const records = journal.list({ event: APPROVAL, limit: -1 })
  const asked = new Set(records.filter(({ decision }) => decision === 'ask').map(({ subject }) => subject))
  const answered = new Set(records.filter(({ decision }) => decision !== 'ask').map(({ subject }) => subject))
  return asked.size === count && answered.size === count
}

interface Sum {
  allowed: number
  denied: number
  wrong: string[]
  missing: string[]
}

/** Some are answered before the kill, some after; the rest is met with silence. */
async function killRounds(): Promise<void> {
  const sum: Sum = { allowed: 0, denied: 0, wrong: [], missing: [] }
  const place = askPlace(12)
  try {
    place.start()
    for (let round = 0; round < rounds; round++) {
      await killRound(place, round, sum)
      if ((round + 1) % 20 === 0)
        console.log(`       ${round + 1} rounds: ${sum.allowed} allowed, ${sum.denied} denied`)
    }
    check(
      'killed',
      sum.wrong.length === 0,
      `${sum.wrong.length} allowed without a yes ${sum.wrong.slice(0, 3).join(' | ')}`,
    )
    check(
      'killed',
      sum.missing.length === 0,
      `${sum.missing.length} missing from the journal ${sum.missing.slice(0, 3).join(' | ')}`,
    )
    check('killed', true, `${rounds} kills, ${sum.allowed} allowed, ${sum.denied} denied`)
  } finally {
    place.close()
  }
}

async function killRound(place: AskPlace, round: number, sum: Sum): Promise<void> {
  const { questions } = place.desk
  const names = Array.from({ length: WAITING }, (_, n) => `r${round}-${n}`)
  const ask = (name: string, n: number) =>
    n < RELAYS ? place.relay(name, `deploy ${name}`) : place.call(name, `deploy ${name}`)
  const began = Date.now()
  const asked = noticed(place, WAITING)
  const first = names.map(ask)
  const open = (await asked.all).map((id) => questions.get(id)!)
  const yes = new Set<string>()
  const say = (part: number) => {
    for (const question of open)
      if (Number(question.session_id.split('-')[1]) % 3 === part && !questions.answerOf(question.id)) {
        const decision = Math.random() < 0.5 ? 'allow' : 'deny'
        try {
          giveAnswer(place.desk, question.id, { decision, by: 'local', via: 'terminal' })
          if (decision === 'allow') yes.add(question.session_id)
        } catch {
          // too late: silence was quicker
        }
      }
  }
  // At a random moment among the answers.
  const killAt = Math.random()
  if (killAt < 0.5) place.kill()
  say(0)
  if (killAt >= 0.5) place.kill()
  place.start()
  // What a relay does by its cold path, an agent's own retry does over HTTP: the same call again.
  const again = first.map(async (call, n): Promise<Decision> => {
    const decision = await call
    return decision === 'lost' ? ask(names[n]!, n) : decision
  })
  say(1)
  // Silence takes as long as a question waits: every tenth round shows it.
  if (round % 10 !== 9) say(2)
  const decisions = await Promise.all(again)
  const seconds = (Date.now() - began) / 1000
  for (const [n, decision] of decisions.entries()) {
    if (decision === 'allow') sum.allowed++
    else sum.denied++
    if (decision === 'allow' && !yes.has(names[n]!)) sum.wrong.push(`${names[n]} in round ${round}`)
  }
  if (seconds > 120) sum.wrong.push(`round ${round} took ${seconds} s`)
  const records = place.journal.list({ event: APPROVAL, limit: -1, since: new Date(began) })
  for (const { id } of open) {
    const own = records.filter(({ subject }) => subject === id)
    if (!own.some(({ decision }) => decision === 'ask')) sum.missing.push(`question ${id}`)
    if (!own.some(({ decision }) => decision !== 'ask')) sum.missing.push(`answer to ${id}`)
  }
}

await manyAtOnce()
await killRounds()
process.exitCode = failed ? 1 : 0
