/** One record of the journal, for people. */

import type { JournalHook, JournalRecord } from '../journal/port.ts'
import type { Painter } from './paint.ts'
import { duration } from './print.ts'
import { SKIPPED_WORDS, shadowWords } from './status-words.ts'
import { brief } from './table.ts'

export function recordWords(record: JournalRecord, paint: Painter): string {
  const decision = {
    allow: paint.green('allowed'),
    ask: paint.yellow('asked'),
    deny: paint.red('blocked'),
  }[record.decision]
  const what = [record.agent ?? record.source, record.event, record.tool_name].filter(Boolean).map(String)
  const head = `${paint.dim(timeWords(record.at))}  ${brief(what.join(' '), 80)}  ${decision} ${paint.dim(duration(record.duration_ms))}${reason(record.reason)}\n`
  const dropped = (record.dropped ?? []).map((text) => `    ${paint.yellow('note:')} ${brief(text, 200)}\n`)
  const detail = record.detail === undefined ? '' : `    ${paint.dim('>')} ${brief(record.detail, 200)}\n`
  const derived =
    record.derived === undefined ? '' : `    ${paint.dim('derived')} ${brief(record.derived, 200)}\n`
  return (
    head + derived + detail + record.hooks.map((hook) => hookLine(hook, paint)).join('') + dropped.join('')
  )
}

function hookLine(hook: JournalHook, paint: Painter): string {
  const name = `    ${brief(hook.name, 64)}`
  if (hook.status === 'skipped') return `${name}  ${paint.dim(SKIPPED_WORDS[hook.skipped ?? 'no_match'])}\n`
  if (hook.status === 'background') return `${name}  ${paint.dim('started in the background')}\n`
  const colour = { allowed: paint.green, blocked: paint.red, failed: paint.yellow, timed_out: paint.yellow }[
    hook.status
  ]
  if (hook.shadow === 'deny' || hook.shadow === 'ask')
    return `${name}  ${paint.yellow(shadowWords(hook.shadow))} ${paint.dim(duration(hook.duration_ms))}${reason(hook.error ?? hook.reason)}\n`
  const attempts = hook.attempts > 1 ? ` after ${hook.attempts} attempts` : ''
  return `${name}  ${colour(hook.status.replace('_', ' '))}${attempts}${hook.cached ? ' (cached)' : ''}${hook.background ? ' (in the background)' : ''} ${paint.dim(duration(hook.duration_ms))}${reason(hook.error ?? hook.reason)}\n`
}

function reason(text: string | null): string {
  return text ? `: ${brief(text, 200)}` : ''
}

/** In the person's time zone, to the second. */
function timeWords(at: string): string {
  const date = new Date(at)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}
