/** `crosshook verify --journal`: checks that the journal is what was written. */

import { paths } from '../config/paths.ts'
import type { Verification } from '../journal/port.ts'
import { journalOf } from '../pipeline/journal.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { plural, print, printJson, warn } from './print.ts'
import { visible } from './visible.ts'

export async function verifyJournal(args: Arguments): Promise<number> {
  const journal = await journalOf(paths(args.env))
  try {
    const found = journal.verify()
    for (const sentence of journal.warnings()) warn(sentence)
    if (args.flag('json')) printJson(found)
    else print(words(found))
    return found.ok ? 0 : 1
  } finally {
    journal.close()
  }
}

function words({ ok, records, unchained, anchors, findings, notes }: Verification): string {
  const paint = painter(1)
  const lines = findings.map(
    ({ what, where, message }) => `${paint.red(what)}  ${visible(where)}: ${visible(message)}\n`,
  )
  const also = notes.map((note) => `${paint.yellow('note')}  ${visible(note)}\n`)
  const old =
    unchained === 0
      ? ''
      : `${plural(unchained, 'record')} of older versions have no chain: nothing can be said of them.\n`
  const sum = `${plural(records, 'record')}, ${plural(anchors, 'anchor')}`
  const end = ok
    ? `${paint.green('✓')} the journal is whole: ${sum}.\n`
    : `\n${sum}; ${plural(findings.length, 'finding')}. The journal was changed by something other than crosshook, or the disk is damaged.\n` +
      'Records that are not named are as they were written.\n'
  return lines.join('') + also.join('') + old + end
}
