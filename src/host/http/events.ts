/** `POST /v1/events`: the hot route, optimised for speed. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Core } from '../core.ts'
import { Refusal, sendProblem, toProblem } from '../problem.ts'
import { readTrace } from '../trace.ts'
import { parseObject, readBody } from './body.ts'
import { eventEnvironment } from './event-environment.ts'

export const EVENTS_PATH = '/v1/events'

const FIX =
  'Send an event such as {"event_type": "before_tool", "tool_name": "Shell", "tool_input": {"command": "ls"}}.'

export async function handleEvent(
  core: Core,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { eventBytes: bytes, bodyTimeout: timeout } = core.options.limits
  try {
    // The parser has not come to the body yet.
    await undefined
    const body = readBody(request, { bytes, timeout })
    const given = parseObject(typeof body === 'string' ? body : await body, FIX)
    const name = given.event_type
    if (typeof name !== 'string')
      throw new Refusal({ status: 400, code: 'bad_input', detail: 'The event has no event_type.', fix: FIX })
    const { headers } = request
    // Most events have none.
    const trace =
      headers.traceparent === undefined ? undefined : readTrace((header) => headers[header] as string)
    const env = eventEnvironment(core, request)
    const text = JSON.stringify(await core.fire(name, given, trace, env))
    const size = Buffer.byteLength(text)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': size })
    // Pure ASCII needs no encoding.
    response.end(text, size === text.length ? 'latin1' : 'utf8')
  } catch (error) {
    const problem = toProblem(error)
    if (problem.status === 500) core.log.error(`an event failed: ${String((error as Error)?.stack ?? error)}`)
    sendProblem(response, problem)
  }
}
