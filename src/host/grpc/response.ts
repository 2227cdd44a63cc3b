/** Turns a message from outside into the answer its format reads, or says what is wrong with it. */

import { messageOf } from '../../spec/errors.ts'
import { parseJson } from '../../spec/json.ts'
import { type Failure, failure } from '../../spec/outcome.ts'
import { HookAction, type HookResponse } from '../gen/hooks_pb.ts'

const ACTIONS: Readonly<Record<number, string>> = {
  [HookAction.CONTINUE]: 'continue',
  [HookAction.BLOCK]: 'block',
  [HookAction.RETRY]: 'retry',
  [HookAction.SKIP]: 'skip',
}

export function readResponse(
  response: HookResponse,
): { value: Record<string, unknown>; modified?: string[] } | Failure {
  if (response.error !== undefined) return failure(`the handler failed: ${response.error}`)
  const action = ACTIONS[response.action]
  if (action === undefined) return wrong(`the unknown action ${response.action}`)
  const { reason, retryDelayMs } = response
  const value: Record<string, unknown> = { action }
  if (reason !== undefined) value.reason = reason
  if (retryDelayMs !== undefined) value.delay = retryDelayMs
  if (!response.modified?.length) return { value }
  try {
    value.modified = parseJson(Buffer.from(response.modified).toString('utf8'))
  } catch (error) {
    return wrong(`modified data that is not JSON (${messageOf(error)})`)
  }
  const { modified } = value
  return action === 'continue' && typeof modified === 'object' && modified !== null
    ? { value, modified: Object.keys(modified) }
    : { value }
}

function wrong(what: string): Failure {
  return failure(`the handler answered with ${what}`, { retryable: false })
}
