/**
 * `crosshook verify`: hook entries in agents' settings that crosshook did not write; with `--journal`, checks the
 * journal.
 */

import { paths } from '../config/paths.ts'
import { accept, readAccepted } from '../install/accepted.ts'
import { programsOf } from '../install/command-line.ts'
import { type ForeignEntry, foreignEntries } from '../install/foreign.ts'
import { knownAgents } from '../install/known.ts'
import { openLedger } from '../install/ledger.ts'
import { CrosshookError } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { plural, print, printJson, warn } from './print.ts'
import { placeWords } from './problem-words.ts'
import { verifyJournal } from './verify-journal.ts'
import { visible } from './visible.ts'

export async function run(args: Arguments): Promise<number> {
  if (args.flag('journal')) return verifyJournal(args)
  const where = paths(args.env)
  const { state } = where
  const { entries, unreadable } = await foreignEntries(args.env, process.cwd(), {
    programs: programsOf(where),
    ledger: openLedger(state),
    state,
    agents: await knownAgents(),
  })
  const wanted = args.values('accept')
  if (wanted.length > 0) accept(state, chosen(entries, wanted))
  const accepted = new Set(readAccepted(state).map(({ fingerprint }) => fingerprint))
  const isNew = ({ fingerprint }: ForeignEntry) => !accepted.has(fingerprint)
  const fresh = entries.filter(isNew)
  for (const { file, message } of unreadable) warn(`${placeWords({ file })}: ${message}`)
  if (args.flag('json'))
    printJson({
      ok: fresh.length === 0,
      entries: entries.map((entry) => ({ ...entry, accepted: !isNew(entry) })),
      unreadable,
    })
  else print(words(entries, isNew))
  return fresh.length === 0 ? 0 : 1
}

function chosen(entries: readonly ForeignEntry[], wanted: readonly string[]): ForeignEntry[] {
  return wanted.flatMap((fingerprint) => {
    const found = entries.filter((entry) => entry.fingerprint === fingerprint)
    if (found.length > 0) return found
    const known = entries.map((entry) => entry.fingerprint)
    throw new CrosshookError(
      'not_found',
      `no foreign entry has the fingerprint "${fingerprint}".${didYouMean(fingerprint, known)}`,
      { fix: 'Run `crosshook verify` to see them.' },
    )
  })
}

function words(entries: readonly ForeignEntry[], isNew: (entry: ForeignEntry) => boolean): string {
  const paint = painter(1)
  const fresh = entries.filter(isNew)
  const known = entries.length - fresh.length
  const also = known === 0 ? '' : `${plural(known, 'accepted entry', 'accepted entries')}.`
  if (fresh.length === 0)
    return `${paint.green('✓')} no hook entry that you do not know of. ${also}`.trimEnd().concat('\n')
  const list = fresh.map(
    (entry) =>
      `${paint.yellow(entry.fingerprint)}  ${paint.bold(entry.title)} ${visible(entry.event)}${entry.matcher ? ` (${visible(entry.matcher)})` : ''}\n` +
      `  in    ${placeWords(entry)}\n  runs  ${visible(entry.command)}\n` +
      (entry.pretends
        ? `  ${paint.red('looks like')} an entry of crosshook, but this crosshook did not write it; if it is an old one, \`crosshook install\` renews it\n`
        : ''),
  )
  return (
    `${list.join('')}\n${plural(fresh.length, 'hook entry', 'hook entries')} that crosshook did not write. ` +
    `If you know it, accept it: crosshook verify --accept ${fresh[0]!.fingerprint}\n` +
    'If you do not, take it out of that file and find out who wrote it.\n' +
    (also === '' ? '' : `${also}\n`)
  )
}
