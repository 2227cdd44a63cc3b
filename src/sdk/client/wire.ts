/** Messages of the hook service ↔ the events and answers of handlers. */

import { create } from '@bufbuild/protobuf'
import {
  HookAction,
  HookResponseSchema,
  type HookEvent as WireEvent,
  type HookResponse as WireResponse,
} from '../../host/gen/hooks_pb.ts'
import { CrosshookError } from '../../spec/errors.ts'

const ACTIONS: Readonly<Record<string, HookAction>> = {
  continue: HookAction.CONTINUE,
  block: HookAction.BLOCK,
  retry: HookAction.RETRY,
  skip: HookAction.SKIP,
}

export function fromWire(event: WireEvent): Record<string, unknown> {
  const payload = JSON.parse(Buffer.from(event.payload).toString('utf8')) as Record<string, unknown>
  return { metadata: {}, ...payload }
}

/** Throws when it is not an answer: the hook has then failed. */
export function toWire(answer: unknown, about: { hookId: string; eventId: string }): WireResponse {
  if (answer === undefined || answer === null) return create(HookResponseSchema, about)
  if (typeof answer !== 'object') throw wrong(`${typeof answer} instead of {action: …}`)
  const given = answer as Record<string, unknown>
  const word = typeof given.action === 'string' ? given.action.toLowerCase() : ''
  const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined
  if (action === undefined) throw wrong(`the action ${JSON.stringify(given.action)}`)
  const { reason, modified } = given
  const delay = given.delay ?? given.delayMs ?? given.delay_ms
  return create(HookResponseSchema, {
    ...about,
    // The protocol only has "skip the remaining hooks"; skipping oneself is CONTINUE.
    action: word === 'skip' && given.scope === 'hook' ? HookAction.CONTINUE : action,
    ...(reason === undefined || reason === null ? {} : { reason: String(reason) }),
    ...(modified === undefined || modified === null
      ? {}
      : { modified: Buffer.from(JSON.stringify(modified)) }),
    ...(typeof delay === 'number' ? { retryDelayMs: Math.round(delay) } : {}),
  })
}

function wrong(what: string): CrosshookError {
  return new CrosshookError('bad_input', `the handler answered with ${what}`, {
    fix: 'Answer {action: "continue"}, "block", "retry" or "skip", or nothing.',
  })
}
