/** `crosshook approvals`: open questions of agents, and the answers of the person at this machine. */

import { closeOverdue, type Desk, type Given, giveAnswer, type Result } from '../ask/answer.ts'
import { openDesk } from '../ask/desk.ts'
import { type GrantScope, type Question, SCOPES } from '../ask/question.ts'
import { LOCAL } from '../ask/who.ts'
import { paths } from '../config/paths.ts'
import { journalOf } from '../pipeline/journal.ts'
import { durationMs } from '../spec/duration.ts'
import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import { listWords, showWords } from './approvals-words.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { print, printJson, warn } from './print.ts'

type Action = (args: Arguments, desk: Desk) => number | Promise<number>

const ACTIONS: Readonly<Record<string, Action>> = {
  list,
  show,
  allow: (args, desk) => answer(args, desk, 'allow'),
  deny: (args, desk) => answer(args, desk, 'deny'),
  sign: async (args) => (await import('./approvals-sign.ts')).signAnswer(args),
  key: async (args) => (await import('./approvals-sign.ts')).channelKey(args),
}

export async function run(args: Arguments): Promise<number> {
  const [word] = args.words
  const action = Object.hasOwn(ACTIONS, word ?? 'list') ? ACTIONS[word ?? 'list'] : undefined
  if (!action) {
    const names = Object.keys(ACTIONS)
    throw new CrosshookError('usage', `approvals cannot be "${word}".${didYouMean(word!, names)}`, {
      fix: `Use one of: ${names.join(', ')}.`,
    })
  }
  const where = paths(args.env)
  const journal = await journalOf(where)
  const desk = openDesk({ where, journal: () => journal, source: 'cli', trouble: warn })
  try {
    if (word === undefined && isTerminal() && !args.flag('json')) {
      const { live } = await import('./approvals-live.ts')
      return await live(desk)
    }
    return await action(args, desk)
  } finally {
    desk.questions.close()
    journal.close()
  }
}

export function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true
}

function list(args: Arguments, desk: Desk): number {
  closeOverdue(desk, 0)
  const all = args.flag('all')
  const questions = all ? desk.questions.list() : desk.questions.open()
  if (args.flag('json'))
    printJson(
      all
        ? questions.map((question) => ({ ...question, answer: desk.questions.answerOf(question.id) ?? null }))
        : questions,
    )
  else print(listWords(questions, painter(1)))
  return 0
}

function show(args: Arguments, desk: Desk): number {
  const question = find(args, desk)
  const answer = desk.questions.answerOf(question.id)
  if (args.flag('json')) printJson({ ...question, answer: answer ?? null })
  else print(showWords(question, answer, painter(1)))
  return 0
}

function answer(args: Arguments, desk: Desk, decision: 'allow' | 'deny'): number {
  const question = find(args, desk)
  const result = giveAnswer(desk, question.id, {
    ...localAnswer(decision, args.value('words')),
    scope: scopeOf(args.value('scope')),
    lasts: lastsOf(args.value('for')),
  })
  if (args.flag('json')) printJson(result)
  else print(`${resultWords(result, question)}\n`)
  return 0
}

export function localAnswer(decision: 'allow' | 'deny', words?: string): Given {
  return { decision, by: LOCAL, via: 'terminal', ...(words === undefined ? {} : { words }) }
}

export function resultWords(result: Result, { id, summary }: Question): string {
  if (result.status === 'voted') return `noted for ${id}; ${result.missing} more must say yes`
  if (result.status === 'granted')
    return `the agent had given up on ${id}; its next equal call is let through once, until ${result.grant.until}`
  const { decision } = result.answer
  const grant = result.grant
    ? ` (grant ${result.grant.id}, ${result.grant.scope}, until ${result.grant.until})`
    : ''
  return `${decision === 'allow' ? 'allowed' : 'denied'} ${id}: ${summary}${grant}`
}

/** By its id or a unique prefix. */
function find(args: Arguments, { questions }: Desk): Question {
  const [, id] = args.words
  const fix = 'Run `crosshook approvals list` for the ids.'
  if (id === undefined) throw new CrosshookError('usage', 'which question?', { fix })
  const exact = questions.get(id)
  if (exact) return exact
  const found = questions.list().filter((question) => question.id.startsWith(id))
  if (found.length === 1) return found[0]!
  throw new CrosshookError(
    'not_found',
    found.length === 0
      ? `there is no question "${id}"`
      : `"${id}" begins the ids of ${found.length} questions`,
    { fix },
  )
}

export function scopeOf(text: string | undefined): GrantScope | undefined {
  if (text === undefined) return undefined
  const found = SCOPES.find((scope) => scope === text)
  if (found) return found
  throw new CrosshookError('usage', `--scope ${text}: unknown scope.${didYouMean(text, SCOPES)}`, {
    fix: `Scopes are: ${SCOPES.join(', ')}.`,
  })
}

/** `30m`, `8h`, `7d` in milliseconds. */
export function lastsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const lasts = /^\d{1,4}[mhd]$/.test(text) ? durationMs(text) : undefined
  if (lasts) return lasts
  throw new CrosshookError('usage', `--for ${text}: is no length of time`, { fix: 'Write 30m, 8h or 7d.' })
}
