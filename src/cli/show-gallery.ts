/** `crosshook gallery [NAME]`: the ready hooks, what they need, and what one would have done on this machine. */

import { listShelf, readShelf } from '../builder/shelf.ts'
import { tryOnHistory } from '../builder/try.ts'
import { paths } from '../config/paths.ts'
import { journalOf } from '../pipeline/journal.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { print, printAsIs, printJson } from './print.ts'
import { columns } from './table.ts'
import { triedWords } from './tried-words.ts'

export async function run(args: Arguments): Promise<number> {
  const [name] = args.words
  const paint = painter(1)
  if (name === undefined) {
    const rows = await listShelf('gallery')
    if (args.flag('json')) printJson(rows)
    else {
      print(columns(rows.map((row) => [paint.bold(row.name), paint.dim(row.event), row.description])))
      print('\ncrosshook gallery NAME shows one of them, crosshook add NAME takes it.\n')
    }
    return 0
  }
  const { row, hook, files } = await readShelf('gallery', name)
  const journal = args.flag('try') ? await journalOf(paths(args.env)) : undefined
  try {
    const history = journal ? await tryOnHistory(hook, { journal, env: args.env }) : undefined
    if (args.flag('json')) printJson({ ...row, files, ...(history ? { history } : {}) })
    else {
      print(`${paint.bold(row.name)} ${paint.dim(row.event)}\n${row.description}\n`)
      print(
        `${row.needs.map(({ text, risk }) => `  ${risk ? paint.yellow('!') : ' '} ${text}`).join('\n')}\n`,
      )
      if (history) print(`\n${triedWords(history, paint)}`)
      printAsIs(`\n${files[0]!.text}`)
    }
    return 0
  } finally {
    journal?.close()
  }
}
