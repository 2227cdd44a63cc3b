/** `crosshook log [-f]`: what ran, how long, what it decided, and why. */

import { APPROVAL } from '../ask/note.ts'
import { paths } from '../config/paths.ts'
import type { Journal, JournalFilter, JournalRecord } from '../journal/port.ts'
import { eventName } from '../pipeline/decode/complete-event.ts'
import { journalOf } from '../pipeline/journal.ts'
import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import { DECISIONS, type Decision } from '../spec/outcome.ts'
import { recordEnded } from './ended-hooks.ts'
import type { Arguments } from './options.ts'
import { type Painter, painter } from './paint.ts'
import { print, warn } from './print.ts'
import { recordWords } from './record-words.ts'
import { sinceOf } from './since.ts'

const DEFAULT_LINES = 20

export async function run(args: Arguments): Promise<number> {
  const [number] = args.words
  if (number !== undefined) return (await import('./log-one.ts')).showOne(args, number)
  const filter = filterOf(args)
  await recordEnded(args.env)
  const journal = await journalOf(paths(args.env))
  const { follow } = journal
  const list = searched(journal, args) ?? journal.list
  const paint = painter(1)
  const records = list(filter)
  for (const sentence of journal.warnings()) warn(sentence)
  print(records.map((record) => words(record, args, paint)).join(''))
  if (args.flag('follow')) {
    const end = new AbortController()
    process.stdout.on('error', () => end.abort()) // `log -f | head`: the reader is gone
    process.once('SIGINT', () => end.abort())
    process.once('SIGTERM', () => end.abort())
    // From the newest record of all, not of those shown: a record that the filter left out is not shown later either.
    const after = list({ limit: 1 })[0]?.seq ?? 0
    for await (const record of follow({ ...filter, after }, end.signal))
      process.stdout.write(words(record, args, paint))
  } else if (records.length === 0 && !args.flag('json'))
    print(
      Object.keys(filter).length > 1 || list !== journal.list
        ? 'Nothing in the journal matches.\n'
        : 'The journal is empty: no event has come yet.\n',
    )
  journal.close()
  return 0
}

/** For filters that must check each record: searched newest first, shown oldest first. */
function searched(journal: Journal, args: Arguments): Journal['list'] | undefined {
  const more = {
    ...(args.value('agent') === undefined ? {} : { agent: args.value('agent')! }),
    ...(args.value('tool') === undefined ? {} : { tool: args.value('tool')! }),
    ...(args.value('text') === undefined ? {} : { text: args.value('text')! }),
    ...(args.flag('failed') ? { failed: true } : {}),
  }
  if (Object.keys(more).length === 0) return undefined
  if (args.flag('follow'))
    throw new CrosshookError('usage', '--follow does not go with --agent, --tool, --text or --failed', {
      fix: 'Use --session, --hook, --event or --decision, or leave --follow out.',
    })
  return (filter = {}) => {
    const { limit = DEFAULT_LINES, after: _after, before: _before, ...rest } = filter
    const found: JournalRecord[] = []
    for (let before: number | undefined; ; ) {
      const part = journal.search(
        { ...rest, ...more },
        { limit: limit - found.length, rows: 50_000, ...(before === undefined ? {} : { before }) },
      )
      found.push(...part.records)
      if (part.next === null || found.length >= limit) return found.reverse()
      before = part.next
    }
  }
}

function words(record: JournalRecord, args: Arguments, paint: Painter): string {
  return args.flag('json') ? `${JSON.stringify(record)}\n` : recordWords(record, paint)
}

function filterOf(args: Arguments): JournalFilter {
  const session = args.value('session')
  const hook = args.value('hook')
  const event = args.value('event')
  const decision = args.value('decision')
  const since = args.value('since')
  return {
    limit: limitOf(args.value('limit')),
    ...(session === undefined ? {} : { session }),
    ...(hook === undefined ? {} : { hook }),
    ...(event === undefined ? {} : { event: event === APPROVAL ? event : eventName(event) }),
    ...(decision === undefined ? {} : { decision: decisionOf(decision) }),
    ...(since === undefined ? {} : { since: sinceOf(since) }),
  }
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LINES
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text)
  throw new CrosshookError('usage', `--limit ${text}: must be a number above 0`)
}

function decisionOf(word: string): Decision {
  const found = DECISIONS.find((decision) => decision === word)
  if (found) return found
  throw new CrosshookError('usage', `--decision ${word}: unknown decision.${didYouMean(word, DECISIONS)}`, {
    fix: `Decisions are: ${DECISIONS.join(', ')}.`,
  })
}
