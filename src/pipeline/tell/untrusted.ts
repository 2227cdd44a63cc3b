/**
 * At the start of a session, and at the first guard that is skipped in it: tells person and model which hooks do not
 * run because nobody has trusted them. The model gets the number, never the names: those come from the repository.
 */

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../spec/errors.ts'
import { eventRow } from '../../spec/event.ts'
import type { Hook } from '../../spec/hook.ts'
import type { Context, Services } from '../context.ts'

/** Most names that are shown; the rest is counted. */
const MAX_NAMES = 5

export async function tellUntrusted(context: Context): Promise<void> {
  const { event, outcome, capability } = context
  const isStart = eventRow(event.event_type).begins === 'session'
  const waiting = isStart ? allWaiting(context) : leftOut(context)
  if (waiting.length === 0 || (!isStart && wasTold(context, 'untrusted-told'))) return
  const count = waiting.length === 1 ? '1 project hook does' : `${waiting.length} project hooks do`
  const verb = waiting.length === 1 ? 'it' : 'them'
  const forPerson = `crosshook: ${count} not run, because you have not trusted ${verb} as ${verb === 'it' ? 'it is' : 'they are'} now: ${plainNames(waiting.map(({ name }) => name))}. Look with \`crosshook trust\`.`
  const forModel = `crosshook: ${count} not run in this session: the person has not trusted ${verb} yet. What ${verb === 'it' ? 'it guards' : 'they guard'} is not checked.`
  const takesContext = capability?.effects.includes('additional_context')
  context.outcome = {
    ...outcome,
    user_message: [outcome.user_message, forPerson].filter(Boolean).join('\n'),
    ...(takesContext && eventRow(event.event_type).block !== 'continues'
      ? { additional_context: [...(outcome.additional_context ?? []), forModel] }
      : {}),
  }
}

/** Of the whole project, for any event. */
function allWaiting({ set, services }: Context): Hook[] {
  const { disabled } = set!.settings
  return set!.hooks.filter(
    (hook) =>
      hook.scope === 'project' &&
      !hook.disabled &&
      !disabled.includes(hook.name) &&
      !isTrusted(services, hook),
  )
}

/** False when trust cannot be read. */
function isTrusted(services: Services, hook: Hook): boolean {
  try {
    return services.trustOf(hook) === 'trusted'
  } catch {
    return false // `trust` and `doctor` report what is wrong with it
  }
}

/** Skipped hooks of this event. */
function leftOut({ ran, set }: Context): Hook[] {
  const names = new Set(ran!.reports.filter(({ skipped }) => skipped === 'untrusted').map(({ name }) => name))
  return set!.hooks.filter((hook) => names.has(hook.name) && hook.scope === 'project' && hook.blocks)
}

/** Once per session: an agent that is told at every call stops paying attention. */
export function wasTold({ services, event }: Context, mark: string): boolean {
  try {
    const file = join(services.stateDir({ name: 'crosshook' } as Hook, event.session_id), mark)
    if (existsSync(file)) return true
    writeFileSync(file, '', { mode: 0o600 })
  } catch (error) {
    services.trouble(`what was told cannot be kept: ${messageOf(error)}`)
  }
  return false
}

/** The first names, where they are plain, and how many more. */
export function plainNames(all: readonly string[]): string {
  const names = all.slice(0, MAX_NAMES).map((name) => (/^[\w.-]{1,64}$/.test(name) ? name : '(unnamed)'))
  const more = all.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
