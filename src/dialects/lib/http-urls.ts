/** Do an agent's own rules let it call our URLs? */

import type { EntryProblem } from '../../spec/installer.ts'
import { findEntries, type Shape } from './nested-hooks.ts'

/** `patterns`: all that the settings allow, `*` for anything; undefined when everything is allowed. */
export function urlProblems(
  text: string,
  shape: Shape,
  setting: string,
  patterns: readonly unknown[] | undefined,
): EntryProblem[] {
  if (patterns === undefined) return []
  const refused = findEntries(text, shape)
    .filter(({ ours, headers }) => ours && headers !== undefined)
    .find(({ command }) => !patterns.some((pattern) => matches(String(pattern), command)))
  if (!refused) return []
  return [
    {
      level: 'error',
      message: `"${setting}" does not allow ${refused.command}, so our entries over HTTP are never called.`,
      fix: `Add "${new URL(refused.command).origin}/*" to "${setting}", or install without --http.`,
    },
  ]
}

function matches(pattern: string, url: string): boolean {
  const [start = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return pattern === url
  const end = rest.pop()!
  if (!url.startsWith(start)) return false
  let at = start.length
  for (const part of rest) {
    const found = url.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return url.length - end.length >= at && url.endsWith(end)
}
