/** Which scope a request has, and what to say to one that has none. */

import type { IncomingMessage } from 'node:http'
import type { Problem } from '../problem.ts'
import { allows, type Scope, type Tokens } from '../tokens.ts'

export function missingScope(tokens: Tokens, request: IncomingMessage, needed: Scope): Problem | undefined {
  const scope = tokens.scopeOf(request.headers.authorization)
  if (scope === undefined) return noToken(tokens)
  if (allows(scope, needed)) return undefined
  return {
    status: 403,
    code: 'wrong_scope',
    detail: `This token may only fire events; the request needs the scope "${needed}".`,
    fix: `Use the token in ${tokens.adminFile}.`,
  }
}

export function noToken(tokens: Tokens): Problem {
  return {
    status: 401,
    code: 'no_token',
    detail: 'The request has no valid token.',
    fix: `Send "Authorization: Bearer TOKEN" with the content of ${tokens.adminFile}.`,
  }
}
