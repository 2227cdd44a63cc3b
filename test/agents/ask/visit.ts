/** One agent and a guard that asks: `node visit.ts AGENT RESULTS`. Runs where only loopback can be reached. */

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Question } from '../../../src/ask/question.ts'
import { openQuestions } from '../../../src/ask/questions.ts'
import type { Agent } from '../agents/agent.ts'
import { put } from '../agents/files.ts'
import { run } from '../process.ts'
import { environment, scratch } from '../scratch.ts'
import { startStandIn } from '../stand-in/server.ts'
import { wire } from '../wire.ts'
import { type People, people } from './people.ts'

export interface Seen {
  step: string
  status: 'pass' | 'fail'
  what: string
}

/** Seconds that a question waits here, so that silence does not take ten minutes. */
const WAIT_SECONDS = 30
const LIMIT = { time: 400_000 }
const MAIN = 'MAIN-TASK'
const WORDS = 'not on a friday, said the person'

/** What the model tries, who answers, and how. The file is there afterwards or it is not. */
const STEPS: readonly {
  id: string
  runs: boolean
  told?: string
  answer(people: People, question: Question): Promise<void>
}[] = [
  { id: 'page', runs: true, answer: ({ page }, question) => page(question, 'allow') },
  { id: 'terminal', runs: true, answer: ({ terminal }, question) => terminal(question, 'allow') },
  { id: 'webhook', runs: true, answer: ({ webhook }, question) => webhook(question, 'allow') },
  { id: 'ntfy', runs: true, answer: ({ ntfy }, question) => ntfy(question, 'Allow') },
  { id: 'no', runs: false, told: WORDS, answer: ({ page }, question) => page(question, 'deny', WORDS) },
  { id: 'silence', runs: false, told: 'has not answered', answer: async () => {} },
]

const GUARD = `---
name: ask-first
description: Asks about commands of this test.
trigger: before_tool
matcher:
  command: '^echo ask-'
outcome:
  decision: ask
  reason: 'GUARD-ASKS: a person must know of this'
---
`

async function visit(id: string): Promise<Seen[]> {
  const { agent } = (await import(`../agents/${id}.ts`)) as { agent: Agent }
  const standIn = await startStandIn(agent.api)
  const place = scratch(standIn.url)
  const env = { ...environment(place), ...agent.environment(place) }
  const state = join(place.home, '.local/state/crosshook')
  put(join(place.home, '.config/agents/hooks/ask-first/HOOK.md'), GUARD)
  put(join(place.project, 'README.md'), '# A project\n')
  await run(['git', 'init', '-q', '.'], place.project, env, LIMIT)
  agent.configure(place)
  for (const command of agent.prepare?.(place) ?? []) await run(command, place.project, env, LIMIT)
  const all = await people(place, env, { wait: WAIT_SECONDS })
  await wire(agent, place, env)
  await all.open()
  standIn.play({
    main: [
      ...STEPS.map(({ id: step }) => ({
        id: step,
        turn: { call: agent.tools.shell(`echo ask-${step} > asked-${step}.txt`) },
      })),
      { id: 'end', turn: { text: 'I am done.' } },
    ],
    sub: [],
    mainMarker: MAIN,
    subMarker: 'SUB-TASK',
  })
  const questions = openQuestions(state)
  const asked = new Map<string, Question>()
  const troubles: string[] = []
  const answerNew = () => {
    for (const question of questions.open()) {
      const step = STEPS.find((each) => question.summary.includes(`ask-${each.id} `))
      if (!step || asked.has(step.id)) continue
      asked.set(step.id, question)
      step.answer(all, question).catch((error: unknown) => troubles.push(`${step.id}: ${String(error)}`))
    }
  }
  const stop = questions.follow(answerNew)
  const ended = await run(agent.start(place, `${MAIN}: please do the work.`), place.project, env, {
    ...LIMIT,
    isTooMuch: () => standIn.asked.length > 40,
  })
  stop()
  const told = (step: string) => {
    const at = standIn.asked.findIndex((question) => question.step === step)
    return at < 0 ? undefined : standIn.asked.slice(at + 1).find(({ who }) => who === 'main')?.told
  }
  const seen = STEPS.map(({ id: step, runs, told: words }): Seen => {
    const question = asked.get(step)
    const fail = (what: string): Seen => ({
      step,
      status: 'fail',
      what: [what, ...troubles, ended.stderr.slice(-300)].join(' | '),
    })
    if (!question) return fail('nobody was asked')
    const ran = existsSync(join(place.project, `asked-${step}.txt`))
    if (ran !== runs)
      return fail(ran ? 'the command ran' : `the command did not run: ${told(step)?.slice(0, 300)}`)
    const answer = questions.answerOf(question.id)
    if (words === undefined)
      return { step, status: 'pass', what: `ran after ${answer?.by} said yes (${answer?.via})` }
    const heard = told(step)?.includes(words) || agent.cannot?.told
    if (!heard) return fail(`the model was told: ${told(step)?.slice(0, 300)}`)
    const waited = (Date.parse(answer!.at) - Date.parse(question.at)) / 1000
    return { step, status: 'pass', what: `did not run; the model read "${words}" (${waited.toFixed(1)} s)` }
  })
  await all.close()
  await standIn.close()
  return seen
}

if (import.meta.main) {
  const [id = '', results = ''] = process.argv.slice(2)
  writeFileSync(results, JSON.stringify(await visit(id)))
  process.exit(0)
}
