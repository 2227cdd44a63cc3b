/**
 * At the start of a session, or at the first operation that could have been stopped: tells person and model that hooks do
 * not load, whatever event they are for. The model gets the number only: the rest may come from the repository.
 */

import { basename, dirname } from 'node:path'
import { eventRow } from '../../spec/event.ts'
import type { Hook } from '../../spec/hook.ts'
import type { Context } from '../context.ts'
import { plainNames, wasTold } from './untrusted.ts'

export function tellBroken(context: Context): void {
  const { event, set, ran, outcome, capability } = context
  const isStart = eventRow(event.event_type).begins === 'session'
  if (!isStart && !capability?.deny) return
  const told = new Set(ran!.reports.filter(({ skipped }) => skipped !== 'untrusted').map(({ name }) => name))
  // One that loads for no known event, or waits for trust as well, is reported at no event of its own.
  const isUnreported = ({ name, events }: Hook) =>
    !told.has(name) && (events.length === 0 || events.includes(event.event_type))
  const waiting = set!.broken.filter((hook) => isStart || isUnreported(hook))
  const files = new Set(waiting.map(({ origin }) => origin.file))
  if (files.size === 0 || (wasTold(context, 'broken-told') && !isStart)) return
  const count = files.size === 1 ? '1 hook does' : `${files.size} hooks do`
  const forPerson = `crosshook: ${count} not load: ${plainNames([...files].map((file) => basename(dirname(file))))}. See \`crosshook validate\`.`
  const forModel = `crosshook: ${count} not load, so what ${files.size === 1 ? 'it guards' : 'they guard'} may not be checked in this session.`
  const takesContext =
    capability?.effects.includes('additional_context') && eventRow(event.event_type).block !== 'continues'
  context.outcome = {
    ...outcome,
    user_message: [outcome.user_message, forPerson].filter(Boolean).join('\n'),
    ...(takesContext ? { additional_context: [...(outcome.additional_context ?? []), forModel] } : {}),
  }
}
