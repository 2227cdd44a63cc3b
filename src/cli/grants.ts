/** `crosshook grants list|revoke`: every permission that is still valid. */

import { giveAhead } from '../ask/answer.ts'
import { openDesk } from '../ask/desk.ts'
import { openGrants } from '../ask/grants.ts'
import { proposals } from '../ask/proposals.ts'
import { LOCAL } from '../ask/who.ts'
import { paths } from '../config/paths.ts'
import { journalOf } from '../pipeline/journal.ts'
import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import { lastsOf, scopeOf } from './approvals.ts'
import { grantWords } from './approvals-words.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { print, printJson, warn } from './print.ts'
import { brief } from './table.ts'

const ACTIONS = ['list', 'give', 'revoke'] as const

export async function run(args: Arguments): Promise<number> {
  const [word = 'list', id] = args.words
  const grants = openGrants(paths(args.env).state)
  if (word === 'list') {
    if (args.flag('json')) printJson(grants.list())
    else print(grantWords(grants.list(), painter(1)) + (await proposalLines(args)))
    return 0
  }
  if (word === 'give') return give(args, id)
  if (word !== 'revoke')
    throw new CrosshookError('usage', `grants cannot be "${word}".${didYouMean(word, ACTIONS)}`, {
      fix: `Use one of: ${ACTIONS.join(', ')}.`,
    })
  const fix = 'Run `crosshook grants list` for the ids.'
  if (id === undefined) throw new CrosshookError('usage', 'which grant?', { fix })
  if (!grants.revoke(id)) throw new CrosshookError('not_found', `there is no grant "${id}"`, { fix })
  if (args.flag('json')) printJson({ revoked: id })
  else print(`revoked ${id}\n`)
  return 0
}

/** Grants in advance exactly what an earlier question was about. */
async function give(args: Arguments, id: string | undefined): Promise<number> {
  const where = paths(args.env)
  const journal = await journalOf(where)
  const desk = openDesk({ where, journal: () => journal, source: 'cli', trouble: warn })
  try {
    const question = id === undefined ? undefined : desk.questions.get(id)
    if (!question)
      throw new CrosshookError(
        'not_found',
        id === undefined ? 'for which question?' : `there is no question "${id}"`,
        {
          fix: 'Run `crosshook approvals list --all` for the ids.',
        },
      )
    const scope = scopeOf(args.value('scope')) ?? 'project'
    const grant = giveAhead(desk, question, { by: LOCAL, scope, lasts: lastsOf(args.value('for')) })
    if (args.flag('json')) printJson(grant)
    else print(`grant ${grant.id} (${scope}) until ${grant.until}: ${grant.summary}\n`)
    return 0
  } finally {
    desk.questions.close()
    journal.close()
  }
}

async function proposalLines({ env }: Arguments): Promise<string> {
  const journal = await journalOf(paths(env))
  try {
    return proposals(journal)
      .map(
        ({ count, summary, question }) =>
          `Allowed ${count} times: ${brief(summary, 120)}\n  to be asked no more in this project: crosshook grants give ${question} --for 7d\n`,
      )
      .join('')
  } finally {
    journal.close()
  }
}
