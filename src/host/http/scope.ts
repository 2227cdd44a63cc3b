/** Which scope a request has, and the error for one that has none. */

import type { IncomingMessage } from 'node:http'
import { allows, type Scope, type Tokens } from '../access-tokens.ts'
import type { Core } from '../core.ts'
import { CSRF_HEADER, isCsrf } from '../people.ts'
import type { Problem } from '../problem.ts'
import { trusted } from './trusted.ts'

/** Scope by the socket, by a token, or by the cookie of a signed-in page. */
export function missingScope(
  core: Pick<Core, 'tokens' | 'people'>,
  request: IncomingMessage,
  needed: Scope,
): Problem | undefined {
  const { tokens, people } = core
  const scope = trusted.has(request) ? 'admin' : tokens.scopeOf(request.headers.authorization)
  if (scope !== undefined) return allows(scope, needed) ? undefined : wrongScope(tokens, scope, needed)
  const session = people.sessionOf(request)
  if (!session) return noToken(tokens)
  const isChange = request.method !== 'GET' && request.method !== 'HEAD'
  return !isChange || isCsrf(session, request.headers[CSRF_HEADER]) ? undefined : noCsrf()
}

function wrongScope({ adminFile }: Tokens, scope: Scope, needed: Scope): Problem {
  if (needed === 'person')
    return {
      status: 403,
      code: 'for_people',
      detail: 'This changes the guards, so a person must ask for it: no token is enough.',
      fix: 'Open the page with `crosshook ui`, or use the command line.',
    }
  return {
    status: 403,
    code: 'wrong_scope',
    detail: `This token has the scope "${scope}"; the request needs "${needed}".`,
    fix: `Use the token in ${adminFile}.`,
  }
}

function noCsrf(): Problem {
  return {
    status: 403,
    code: 'no_csrf_token',
    detail: `A change that comes with the page's cookie needs the header ${CSRF_HEADER}.`,
    fix: 'GET /v1/page/session tells it to the page.',
  }
}

export function noToken(tokens: Tokens): Problem {
  return {
    status: 401,
    code: 'no_token',
    detail: 'The request has no valid token, and nobody has signed in.',
    fix: `Send "Authorization: Bearer TOKEN" with the content of ${tokens.adminFile}; for the page, run \`crosshook ui\`.`,
  }
}
