/** What can still be read from a HOOK.md that does not load, so that a guard does not vanish while its file is half-written. */

import { basename, dirname } from 'node:path'
import { EVENT_NAMES, EVENTS } from '../../spec/event.ts'
import { HOOK_DEFAULTS, type Hook, type Problem, type Scope } from '../../spec/hook.ts'
import { eventOf } from './hook.ts'

/** Events that a deny stops. A guard with an unreadable trigger counts for all of them. */
const STOPPABLE = EVENT_NAMES.filter((name) => EVENTS[name].block === 'prevents')

/** A hook that fails at its events, in place of the broken one. `text` is undefined when the file could not be read. */
export function standIn(file: string, scope: Scope, problem: Problem, text: string | undefined): Hook {
  const dir = dirname(file)
  const said = text === undefined ? {} : claimsOf(frontOf(text))
  const { trigger, name, closed = false, background = false, disabled = false } = said
  const event = trigger === undefined ? undefined : eventOf(trigger)
  const isClosed = !background && (closed || scope === 'managed')
  return {
    ...HOOK_DEFAULTS,
    name: name ?? basename(dir),
    format: 'agenthooks',
    scope,
    events: event === undefined ? STOPPABLE : [event],
    run: { type: 'outcome', outcome: {} },
    on_failure: isClosed ? 'closed' : 'open',
    blocks: !background,
    ...(disabled ? { disabled } : {}),
    origin: { file, dir },
    broken: brokenWords(problem),
  }
}

function brokenWords({ file, line, message, fix }: Problem): string {
  return `${file}${line === undefined ? '' : `:${line}`}: ${message} ${fix}`
}

/** Up to the second `---`; all of it where that is missing. */
function frontOf(text: string): string {
  const end = /\n---[ \t]*\r?(?:\n|$)/.exec(text.slice(3))
  return end === null ? text : text.slice(0, end.index + 3)
}

interface Claims {
  name?: string
  trigger?: string
  closed?: boolean
  background?: boolean
  disabled?: boolean
}

/** Finds each field by itself, at any place in the text, since the text as a whole is not valid YAML. */
function claimsOf(text: string): Claims {
  const value = (field: string) =>
    new RegExp(`(?:^|[\\s,{])["']?${field}["']?[ \\t]*:[ \\t]*["']?([^"'\\r\\n,}#]*)`).exec(text)?.[1]?.trim()
  const name = value('name')?.slice(0, 64)
  const trigger = value('trigger')
  const policy = value('on_failure')
  return {
    ...(name ? { name } : {}),
    ...(trigger ? { trigger } : {}),
    // Any value but `open` or a beginning of it counts as closed, also a misspelt one: `open` is the default and rarely written.
    closed: policy !== undefined && (policy === '' || !'open'.startsWith(policy.toLowerCase())),
    background: value('async') === 'true',
    disabled: value('enabled') === 'false',
  }
}
