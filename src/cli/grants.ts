/** `crosshook grants list|revoke`: every yes that still holds. */

import { openGrants } from '../ask/grants.ts'
import { paths } from '../config/paths.ts'
import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import { grantWords } from './approvals-words.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { print, printJson } from './print.ts'

const ACTIONS = ['list', 'revoke'] as const

export function run(args: Arguments): number {
  const [word = 'list', id] = args.words
  const grants = openGrants(paths(args.env).state)
  if (word === 'list') {
    if (args.flag('json')) printJson(grants.list())
    else print(grantWords(grants.list(), painter(1)))
    return 0
  }
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
