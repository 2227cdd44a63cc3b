/** The environment of an event that comes over HTTP: from the request, never the daemon's own. */

import type { IncomingMessage } from 'node:http'
import type { Core } from '../core.ts'
import { Refusal } from '../problem.ts'
import { ENVIRONMENT_HEADER } from './environment-header.ts'
import { trusted } from './trusted.ts'

/**
 * The header counts only from a caller that could run programs anyway: by the socket, or with the admin token. Others
 * must not set variables of hooks, since PATH decides which programs run.
 */
export function eventEnvironment(core: Core, request: IncomingMessage): NodeJS.ProcessEnv {
  const given = request.headers[ENVIRONMENT_HEADER]
  if (typeof given !== 'string') return core.eventEnv
  const isAdmin = trusted.has(request) || core.tokens.scopeOf(request.headers.authorization) === 'admin'
  if (!isAdmin)
    throw new Refusal({
      status: 403,
      code: 'wrong_scope',
      detail: `${ENVIRONMENT_HEADER} needs the admin token: this one may only fire events.`,
      fix: `Leave the header out, or use the token in ${core.tokens.adminFile}.`,
    })
  return parse(given)
}

function parse(text: string): NodeJS.ProcessEnv {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
  } catch {
    value = undefined
  }
  const isFit =
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((each) => typeof each === 'string')
  if (isFit) return value as NodeJS.ProcessEnv
  throw new Refusal({
    status: 400,
    code: 'bad_input',
    detail: `${ENVIRONMENT_HEADER} is not a JSON object of texts in base64.`,
    fix: 'Encode {"NAME": "value", …} as base64.',
  })
}
