/** `crosshook log [-f]`: what ran, how long, what it decided, and why. */

import { paths } from '../config/paths.ts'
import { type JournalFilter, type JournalRecord, journal } from '../journal/journal.ts'
import { openStore } from '../journal/store.ts'
import { eventName } from '../pipeline/decode/event.ts'
import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import { DECISIONS, type Decision } from '../spec/outcome.ts'
import { recordEnded } from './ended-hooks.ts'
import type { Arguments } from './options.ts'
import { type Painter, painter } from './paint.ts'
import { print, warn } from './print.ts'
import { recordWords } from './record-words.ts'

const SHOWN = 20

export async function run(args: Arguments): Promise<number> {
  const filter = filterOf(args)
  await recordEnded(args.env)
  const store = openStore(paths(args.env).state)
  const { list, follow } = journal(store)
  const paint = painter(1)
  const records = list(filter)
  for (const sentence of store.warnings.splice(0)) warn(sentence)
  print(records.map((record) => words(record, args, paint)).join(''))
  if (args.flag('follow')) {
    const end = new AbortController()
    process.stdout.on('error', () => end.abort()) // `log -f | head`: nobody reads on
    process.once('SIGINT', () => end.abort())
    process.once('SIGTERM', () => end.abort())
    // From the newest of all, not of those shown: what the filter left out before is not shown later either.
    const after = list({ limit: 1 })[0]?.seq ?? 0
    for await (const record of follow({ ...filter, after }, end.signal))
      process.stdout.write(words(record, args, paint))
  } else if (records.length === 0 && !args.flag('json'))
    print(
      Object.keys(filter).length > 1
        ? 'Nothing in the journal is like that.\n'
        : 'The journal is empty: no event has come yet.\n',
    )
  store.close()
  return 0
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
    ...(event === undefined ? {} : { event: eventName(event) }),
    ...(decision === undefined ? {} : { decision: decisionOf(decision) }),
    ...(since === undefined ? {} : { since: momentOf(since) }),
  }
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return SHOWN
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

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `90s`, `10m`, `1h`, `7d` ago, or a date. */
function momentOf(text: string): Date {
  const ago = /^(\d+)([smhd])$/.exec(text)
  const at = ago ? Date.now() - Number(ago[1]) * UNITS[ago[2]!]! : Date.parse(text)
  if (!Number.isNaN(at)) return new Date(at)
  throw new CrosshookError('usage', `--since ${text}: is no time`, {
    fix: 'Write how long ago (90s, 10m, 1h, 7d) or a date (2026-01-31T12:00:00Z).',
  })
}
