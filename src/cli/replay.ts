/** `crosshook replay`: what the hooks of today would have decided about the calls of the past. Runs no tool. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { paths } from '../config/paths.ts'
import { createJudge } from '../history/judge.ts'
import { readHistory } from '../history/read.ts'
import { replay } from '../history/replay.ts'
import { journalOf } from '../pipeline/journal.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Arguments } from './options.ts'
import { print, printJson } from './print.ts'
import { progress } from './progress.ts'
import { momentOf } from './since.ts'

const DEFAULT_SINCE = '30d'

export async function run(args: Arguments): Promise<number> {
  const since = momentOf(args.value('since') ?? DEFAULT_SINCE)
  const sources = args.values('hook').map((path) => ({ path: existing(path, '--hook') }))
  const transcripts = args.values('transcripts').map((path) => existing(path, '--transcripts'))
  const agents = args.values('agent')
  const journal = await journalOf(paths(args.env))
  const line = progress()
  try {
    const history = readHistory({
      env: args.env,
      journal,
      since,
      ...(agents.length > 0 ? { agents } : {}),
      ...(transcripts.length > 0 ? { transcripts } : {}),
      onFile: (path) => line.show(`Reading ${path}`),
    })
    const judge = createJudge({ env: args.env, ...(sources.length > 0 ? { sources } : {}) })
    const report = await replay(history, { judge })
    line.clear()
    if (args.flag('json')) printJson(report)
    else print(`${JSON.stringify(report.coverage)}\n`)
    return 0
  } finally {
    line.clear()
    journal.close()
  }
}

function existing(path: string, option: string): string {
  if (existsSync(path)) return resolve(path)
  throw new CrosshookError('not_found', `${option} ${path}: there is no such file or folder`)
}
