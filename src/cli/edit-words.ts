/** What was or would be written to a settings file, for people and as JSON. */

import { dirname } from 'node:path'
import { lineDiff } from '../host/line-diff.ts'
import { type Edit, isChange } from '../install/edit.ts'
import type { Done } from '../install/install.ts'
import type { Painter } from './paint.ts'
import { plural } from './print.ts'
import { shortPath } from './problem-words.ts'
import { visible } from './visible.ts'

/** One line: the file and what happens to it. */
export function fileWords(edit: Edit, paint: Painter): string {
  const { agent, file, before, after, error } = edit
  const what = error
    ? paint.red(visible(error.message))
    : !isChange(edit)
      ? paint.dim('stays as it is')
      : after === undefined
        ? 'is removed'
        : before === undefined
          ? 'is made'
          : 'is changed'
  return `${paint.bold(agent.title)}  ${shortPath(file.path)}  ${what}\n`
}

export function editWords({ edit, state }: Done, paint: Painter): string {
  const { file, entries, error, after } = edit
  const path = shortPath(file.path)
  if (error)
    return `  ${paint.red('failed')} ${path}: ${visible(error.message)}\n         ${visible(error.fix)}\n`
  if (state === 'waiting') return `  ${paint.yellow('not written')} ${path}: ${visible(file.consent ?? '')}\n`
  if (entries.length === 0) {
    const what =
      state === 'unchanged' ? 'nothing of crosshook in' : after === undefined ? 'removed' : 'cleaned'
    return `  ${state === 'unchanged' ? paint.dim(what) : paint.green(what)} ${path}\n`
  }
  const events = [...new Set(entries.map(({ event }) => event))]
  const what = state === 'unchanged' ? paint.dim('is wired') : paint.green('wired')
  return `  ${what}  ${path}: ${plural(events.length, 'event')} (${events.join(', ')})\n${httpWords(edit, paint)}`
}

function httpWords({ http, entries, file }: Edit, paint: Painter): string {
  if (!http) return ''
  const commands = entries.filter(({ headers }) => headers === undefined).map(({ event }) => event)
  return (
    `  ${paint.dim('calls')}  ${http.origin}; a command on ${commands.join(', ')}\n` +
    `  ${paint.dim('token')}  ${shortPath(dirname(file.path))} is for you alone now: its settings hold the token of the daemon\n`
  )
}

/** A unified diff; empty when nothing changes. */
export function diffWords(edit: Edit, paint: Painter): string {
  const { file, before, after, error } = edit
  const path = shortPath(file.path)
  if (error) return `${paint.red('error:')} ${path}: ${visible(error.message)}\n${visible(error.fix)}\n`
  if (!isChange(edit)) return ''
  const heads = [
    `--- ${before === undefined ? '/dev/null' : path}`,
    `+++ ${after === undefined ? '/dev/null' : path}`,
  ]
  const body = changedLines(edit)
  const consent =
    file.consent === undefined ? '' : `${paint.yellow('asks first:')} ${visible(file.consent)}\n`
  return `${consent}${[...heads, ...body].map((line) => `${painted(line, paint)}\n`).join('')}`
}

export function editJson({ edit, state }: Done) {
  const { file, entries, error, http } = edit
  return {
    path: file.path,
    state,
    events: [...new Set(entries.map(({ event }) => event))],
    http: http?.origin ?? null,
    needs_consent: file.consent !== undefined,
    diff: isChange(edit) ? changedLines(edit) : [],
    error: error ? { code: error.code, message: error.message, fix: error.fix } : null,
  }
}

/** Tokens are not shown on screens and in logs, not even one that is about to be replaced. */
function changedLines({ before, after }: Edit): string[] {
  const [old = '', next = ''] = [before, after].map((bytes) => bytes?.toString())
  return lineDiff(old, next).map((line) => line.replaceAll(/(Bearer )[\w-]{20,}/g, '$1…'))
}

function painted(line: string, paint: Painter): string {
  const text = visible(line)
  if (line.startsWith('+')) return paint.green(text)
  return line.startsWith('-') ? paint.red(text) : text
}
