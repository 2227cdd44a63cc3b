/** What a hook would have said to the newest events, for people. */

import type { Tried } from '../builder/try.ts'
import type { Painter } from './paint.ts'
import { plural } from './print.ts'
import { brief, columns } from './table.ts'

const MAX_ROWS = 10

export function triedWords(tried: Tried, paint: Painter): string {
  const { events, applies, says, not_run: notRun, changed, changes, compared_with: compared } = tried
  if (events === 0) return 'The journal has no event of this kind yet, so there is nothing to try it on.\n'
  const parts = [
    ...(says.deny > 0 ? [paint.red(`${says.deny} denied`)] : []),
    ...(says.ask > 0 ? [paint.yellow(`${says.ask} asked`)] : []),
    ...(says.confine > 0 ? [`${says.confine} confined`] : []),
    ...(says.rewrite > 0 ? [`${says.rewrite} rewritten`] : []),
    ...(notRun > 0 ? [`${notRun} only its program can judge`] : []),
  ]
  const head = `On your newest ${plural(events, 'event')} it applies to ${applies}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}.\n`
  if (changes === 0) return `${head}No decision would have changed.\n`
  const against = compared ? 'from the hook as it is' : 'from what was decided'
  const rows = changed
    .slice(0, MAX_ROWS)
    .map(({ tool, before, after, summary }) => [`${before} → ${after}`, brief(tool, 20), brief(summary, 70)])
  return `${head}${plural(changes, 'decision')} would differ ${against}:\n${columns(rows)}`
}
