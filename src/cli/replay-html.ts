/** The report as one HTML file: no script, nothing loaded, every text escaped. */

import type { Replay } from '../history/replay.ts'
import { coverageLine, gapLines } from './replay-words.ts'
import { visible } from './visible.ts'

/** Most rows in the list of calls; the JSON report has all. */
const MAX_ROWS = 2000

export function html({ coverage, decisions, groups, hooks, changed, friction }: Replay, since: Date): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>crosshook replay</title>
<style>
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #1b1b1f; background: #fff }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #ddd; vertical-align: top }
code { font-size: .9em; overflow-wrap: anywhere }
.deny { color: #a3110b } .ask { color: #7a5200 } .allow { color: #12621f } .gap { color: #7a5200 }
@media (prefers-color-scheme: dark) { body { color: #e6e6ea; background: #17171b } th, td { border-color: #3a3a40 } .deny { color: #ff8f86 } .ask, .gap { color: #f2c14e } .allow { color: #7ddc8b } }
</style>
<h1>What would these guards have decided?</h1>
<p><strong>${text(coverageLine(coverage, since))}</strong></p>
${gapLines(coverage, hooks)
  .map((line) => `<p class="gap">Not seen: ${text(line)}</p>`)
  .join('\n')}
<p><span class="allow">${decisions.allow} allowed</span>, <span class="ask">${decisions.ask} asked</span>, <span class="deny">${decisions.deny} denied</span>.
${friction.asks_per_day} questions and ${friction.denies_per_day} refusals a day.</p>
<h2>What changes, by likeness</h2>
${table(
  ['calls', 'before → after', 'hook', 'calls like', 'for example', 'agents'],
  groups.map((group) => [
    String(group.calls),
    mark(`${group.before} → ${group.after}`, group.after),
    text(group.hook ?? '–'),
    code(group.like),
    code(group.example),
    text(group.agents.join(', ')),
  ]),
)}
<h2>Hooks</h2>
${table(
  ['hook', 'applies', 'denies', 'asks', 'fails', 'not asked', 'time in ms'],
  hooks.map((hook) => [
    text(hook.hook),
    ...[hook.applied, hook.denied, hook.asked, hook.failed, hook.unasked].map(String),
    hook.cost === null ? 'unknown' : String(hook.cost),
  ]),
)}
<h2>Calls</h2>
${table(
  ['at', 'agent', 'tool', 'before → after', 'hook', 'call', 'reason'],
  changed
    .slice(0, MAX_ROWS)
    .map((change) => [
      text(change.at),
      text(change.agent),
      text(change.tool),
      mark(`${change.before} → ${change.after}`, change.after),
      text(change.hook ?? '–'),
      code(change.summary),
      text(change.reason ?? ''),
    ]),
)}
${changed.length > MAX_ROWS ? `<p>${changed.length - MAX_ROWS} more: --json has all.</p>` : ''}
</html>`
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '<p>None.</p>'
  const head = titles.map((title) => `<th>${text(title)}`).join('')
  return `<table><tr>${head}\n${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}`).join('')}`).join('\n')}\n</table>`
}

function mark(words: string, decision: string): string {
  return `<span class="${decision}">${text(words)}</span>`
}

function code(given: string): string {
  return `<code>${text(given)}</code>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function text(given: string): string {
  return visible(given).replace(/[&<>"']/g, (letter) => ENTITIES[letter]!)
}
