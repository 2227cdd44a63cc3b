/** Output of `crosshook replay`: first what was read and what could not be seen, then what changes. */

import type { Group, HookSum } from '../history/groups.ts'
import type { Coverage, Replay } from '../history/replay.ts'
import type { Painter } from './paint.ts'
import { duration, plural } from './print.ts'
import { brief, columns } from './table.ts'

const MAX_GROUPS = 20
const MAX_HOOKS = 20
const MAX_GAPS = 8

export function words(report: Replay, paint: Painter, since: Date): string {
  const { coverage, decisions, groups, hooks, friction, changed, changed_left_out } = report
  const total = changed.length + changed_left_out
  return [
    `${paint.bold(coverageLine(coverage, since))}\n`,
    ...gapLines(coverage, hooks).map((line) => `${paint.yellow('not seen:')} ${line}\n`),
    coverage.calls === 0
      ? 'There is nothing to replay. Ask for more with --since 90d, or name transcripts with --transcripts PATH.\n'
      : `\n${decisionLine(decisions, paint)} · ${total === 0 ? 'nothing changes' : `${plural(total, 'decision')} ${total === 1 ? 'changes' : 'change'}`}\n`,
    groups.length === 0
      ? ''
      : `\n${columns(groups.slice(0, MAX_GROUPS).map((group) => groupRow(group, paint)))}`,
    groups.length > MAX_GROUPS
      ? paint.dim(`… and ${groups.length - MAX_GROUPS} more kinds (--json has all)\n`)
      : '',
    hooks.length === 0 ? '' : `\n${hookTable(hooks, paint)}`,
    decisions.ask + decisions.deny === 0
      ? ''
      : `\nFriction: ${friction.asks_per_day} questions and ${friction.denies_per_day} refusals a day, on ${plural(friction.days, 'day')} with calls.\n`,
  ].join('')
}

/** The first line of every report. */
export function coverageLine(coverage: Coverage, since: Date): string {
  const { calls, replayed, partial, unreadable, unjudged, files, bytes, journal, agents } = coverage
  const names = Object.keys(agents).filter((name) => name !== '')
  const from = names.length === 0 ? '' : ` of ${names.sort().join(', ')}`
  const parts = [
    `${plural(calls, 'call')}${from} since ${since.toISOString().slice(0, 10)}`,
    `${plural(files, 'transcript')} (${size(bytes)})${journal > 0 ? ` and ${journal} only in the journal` : ''}`,
    `${replayed} replayed, ${partial} in part, ${unjudged > 0 ? `${unjudged} not at all, ` : ''}${plural(unreadable, 'record')} unreadable`,
  ]
  return parts.join(' · ')
}

/** What was truncated, redacted or missing, and which hooks were not asked. */
export function gapLines({ lacks, left_out }: Coverage, hooks: readonly HookSum[]): string[] {
  const lines = [
    ...lacks.map(({ what, calls }) => `${what} (${plural(calls, 'call')})`),
    ...hooks
      .filter(({ unasked }) => unasked > 0)
      .map(
        ({ hook, unasked, why }) =>
          `${brief(hook, 60)} was not asked about ${plural(unasked, 'call')}: ${why}`,
      ),
    ...left_out.map(
      ({ reason, count, example }) =>
        `${plural(count, 'time')} left out, ${brief(reason, 120)}: ${brief(example, 120)}`,
    ),
  ]
  const rest = lines.length - MAX_GAPS
  return rest > 0 ? [...lines.slice(0, MAX_GAPS), `and ${rest} more (--json has all)`] : lines
}

function decisionLine({ allow, ask, deny }: Replay['decisions'], paint: Painter): string {
  return `Today: ${paint.green(`${allow} allowed`)}, ${paint.yellow(`${ask} asked`)}, ${paint.red(`${deny} denied`)}`
}

function groupRow({ calls, before, after, hook, like, example, agents }: Group, paint: Painter): string[] {
  const colour = after === 'deny' ? paint.red : after === 'ask' ? paint.yellow : paint.green
  return [
    `${calls} ×`,
    colour(`${before} → ${after}`),
    brief(hook ?? '–', 32),
    brief(like, 60),
    paint.dim(brief(`${example} (${agents.join(', ')})`, 70)),
  ]
}

function hookTable(hooks: readonly HookSum[], paint: Painter): string {
  const titles = ['hook', 'applies', 'denies', 'asks', 'fails', 'not asked', 'time']
  const rows = hooks
    .slice(0, MAX_HOOKS)
    .map(({ hook, applied, denied, asked, failed, unasked, cost }) => [
      brief(hook, 40),
      String(applied),
      denied > 0 ? paint.red(String(denied)) : '0',
      asked > 0 ? paint.yellow(String(asked)) : '0',
      failed > 0 ? paint.yellow(String(failed)) : '0',
      unasked > 0 ? paint.yellow(String(unasked)) : '0',
      cost === null ? 'unknown' : duration(cost),
    ])
  return columns([titles.map((title) => paint.dim(title)), ...rows])
}

function size(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1000)} kB`
}
