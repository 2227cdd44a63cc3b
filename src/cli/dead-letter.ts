/** `crosshook dead-letter list|show|resolve`: hooks that failed after all attempts. */

import { paths } from '../config/paths.ts'
import { type DeadLetterRecord, deadLetters } from '../journal/dead-letters.ts'
import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import { recordEnded } from './ended-hooks.ts'
import type { Arguments } from './options.ts'
import { type Painter, painter } from './paint.ts'
import { plural, print, printJson } from './print.ts'
import { brief, columns } from './table.ts'
import { visible } from './visible.ts'

const ACTIONS: Readonly<Record<string, (args: Arguments, id: string | undefined) => number>> = {
  list,
  show,
  resolve,
}

export async function run(args: Arguments): Promise<number> {
  const [word = 'list', id] = args.words
  const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined
  if (action) {
    await recordEnded(args.env)
    return action(args, id)
  }
  const names = Object.keys(ACTIONS)
  throw new CrosshookError('usage', `dead letters cannot be "${word}".${didYouMean(word, names)}`, {
    fix: `Use one of: ${names.join(', ')}.`,
  })
}

function list(args: Arguments): number {
  const records = letters(args).list()
  if (args.flag('json')) printJson(records.map(whole))
  else print(listWords(records, painter(1)))
  return 0
}

function show(args: Arguments, id: string | undefined): number {
  const record = find(args, id)
  if (args.flag('json')) printJson(whole(record))
  else print(columns(Object.entries(record).map(([name, value]) => [name, visible(String(value))])))
  return 0
}

function resolve(args: Arguments, id: string | undefined): number {
  const reason = args.value('reason')
  if (reason === undefined || reason.trim() === '')
    throw new CrosshookError('usage', 'why is it resolved?', {
      fix: 'Say what was done about it: crosshook dead-letter resolve ID --reason "the server is back".',
    })
  const before = find(args, id)
  const record = before.resolved_at === undefined ? letters(args).resolve(before.id, reason)! : before
  if (args.flag('json')) printJson(whole(record))
  else if (record === before)
    print(`It was resolved already at ${before.resolved_at}: ${visible(before.resolution_reason ?? '')}\n`)
  else print(`resolved ${record.id}\n`)
  return 0
}

function find(args: Arguments, id: string | undefined): DeadLetterRecord {
  if (id === undefined)
    throw new CrosshookError('usage', 'which dead letter?', {
      fix: 'Run `crosshook dead-letter list` for the ids.',
    })
  const record = letters(args).get(id)
  if (record) return record
  const ending = letters(args)
    .list()
    .filter((each) => each.id.endsWith(id))
  if (ending.length === 1) return ending[0]!
  if (ending.length > 1)
    throw new CrosshookError('usage', `${ending.length} dead letters end with "${id}"`, {
      fix: `Write more of it: ${ending.map((each) => each.id).join(', ')}`,
    })
  throw new CrosshookError('not_found', `there is no dead letter "${id}"`, {
    fix: 'Run `crosshook dead-letter list` for the ids.',
  })
}

/** With every field of the format, so that programs need not test for missing ones. */
function whole(record: DeadLetterRecord) {
  const { resolved_at = null, resolution_reason = null } = record
  return { ...record, resolved_at, resolution_reason }
}

function letters({ env }: Arguments) {
  return deadLetters(paths(env).state)
}

const MIN_ID_CHARS = 6

/** The shortest suffix of the id that is unique. */
function shortId({ id }: DeadLetterRecord, all: readonly DeadLetterRecord[]): string {
  let size = MIN_ID_CHARS
  while (size < id.length && all.filter((other) => other.id.endsWith(id.slice(-size))).length > 1) size++
  return id.slice(-size)
}

function listWords(records: readonly DeadLetterRecord[], paint: Painter): string {
  if (records.length === 0) return 'No dead letters: no hook has failed after all attempts.\n'
  const open = records.filter((record) => record.resolved_at === undefined).length
  const rows = records.map((record) => {
    const state = record.resolved_at === undefined ? paint.red('unresolved') : paint.green('resolved')
    const facts = `${record.at}  ${brief(record.event, 40)}  ${plural(record.attempt_count, 'attempt')}  ${record.failure_mode}`
    const end = record.resolution_reason
      ? `\n  ${paint.dim(`resolved: ${brief(record.resolution_reason, 200)}`)}`
      : ''
    return `${shortId(record, records)}  ${state}\n  ${paint.bold(brief(record.hook_name, 64))}  ${paint.dim(facts)}\n  ${brief(record.error, 200)}${end}\n`
  })
  return `${rows.join('')}\n${plural(records.length, 'dead letter')}, ${open} unresolved\n`
}
