/**
 * `crosshook suggest`: guards for calls that ran without one, and conditions for guards that ask in vain. Uses no
 * model.
 */

import { packageFolder } from '../config/package-folder.ts'
import { paths } from '../config/paths.ts'
import { createJudge } from '../history/judge-call.ts'
import { readHistory } from '../history/read.ts'
import { type Suggestion, suggestions } from '../history/suggest.ts'
import { journalOf } from '../pipeline/journal.ts'
import type { Arguments } from './options.ts'
import { type Painter, painter } from './paint.ts'
import { plural, print, printJson } from './print.ts'
import { progress } from './progress.ts'
import { sinceOf } from './since.ts'
import { brief } from './table.ts'
import { visible } from './visible.ts'

const DEFAULT_SINCE = '30d'

export async function run(args: Arguments): Promise<number> {
  const { env } = args
  const since = sinceOf(args.value('since') ?? DEFAULT_SINCE)
  const agents = args.values('agent')
  const transcripts = args.values('transcripts')
  const journal = await journalOf(paths(env))
  const line = progress()
  line.show('Looking at the calls of the past')
  try {
    const { calls } = readHistory({
      env,
      journal,
      since,
      ...(agents.length > 0 ? { agents } : {}),
      ...(transcripts.length > 0 ? { transcripts } : {}),
    })
    const gallery = createJudge({ env, sources: [{ path: packageFolder('gallery') }] })
    let count = 0
    async function* counted() {
      for await (const call of calls) {
        count++
        yield call
      }
    }
    const found = await suggestions(counted(), { judge: createJudge({ env }), gallery })
    line.clear()
    if (args.flag('json')) printJson(found)
    else print(words(found, painter(1), { since, count }))
    return 0
  } finally {
    line.clear()
    journal.close()
  }
}

function words(
  found: readonly Suggestion[],
  paint: Painter,
  { since, count }: { since: Date; count: number },
): string {
  const from = since.toISOString().slice(0, 10)
  if (count === 0)
    return `No call was found since ${from}, so there is nothing to suggest. Ask for more with --since 90d.\n`
  if (found.length === 0)
    return `Nothing to suggest: your guards cover the ${plural(count, 'call')} since ${from}.\n`
  const parts = found.map((each) => suggestionWords(each, paint))
  return `${plural(found.length, 'suggestion')} from the calls since ${from}. Nothing was changed.\n\n${parts.join('\n')}`
}

function suggestionWords({ kind, name, why, text, gallery, evidence }: Suggestion, paint: Painter): string {
  const { calls, agents, last, examples } = evidence
  const covered =
    gallery === null ? '' : `The gallery has a guard for it: \`crosshook add ${visible(gallery)}\`. Or:\n`
  const head = kind === 'not covered' ? paint.red(kind) : paint.yellow(kind)
  return (
    `${head}: ${visible(why)}\n` +
    `  ${plural(calls, 'call')} of ${agents.map(visible).join(', ')}, last ${last.slice(0, 16)}\n` +
    examples.map((example) => `  ${paint.dim('>')} ${brief(example, 110)}\n`).join('') +
    covered +
    `${kind === 'not covered' ? `${paint.dim(`# .agents/hooks/${name}/HOOK.md`)}\n` : `${paint.dim(`# in the HOOK.md of ${visible(name)}`)}\n`}` +
    `${visible(text)}`
  )
}
