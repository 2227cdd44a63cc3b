/** API routes for the page only: sign-in links and the session. */

import { CrosshookError } from '../../spec/errors.ts'
import { VERSION } from '../../version.ts'
import type { Core } from '../core.ts'
import { isLinkProof, LINK_PROOF_HEADER } from '../people.ts'
import { refuseAgents } from './refuse-agents.ts'
import type { RouteContext } from './routes.ts'
import { trusted } from './trusted.ts'

/**
 * For `crosshook ui`. Over TCP, where the kernel says which program asks; over the socket only when the program cannot
 * know the certificate.
 */
export async function postLink({ people, options, runtime }: Core, c: RouteContext): Promise<Response> {
  const isProven = isLinkProof(runtime.paths.state, c.req.header(LINK_PROOF_HEADER))
  if (!isProven || (trusted.has(c.env.incoming) && !options.tls))
    throw new CrosshookError('refused', 'the request does not come from `crosshook ui`', {
      fix: 'Run `crosshook ui` in a terminal of your own: it prints the link.',
    })
  await refuseAgents(c.env.incoming)
  const { code, ends } = people.invite()
  return c.json({ path: `/sign-in?code=${code}`, expires_at_ms: ends })
}

/** The route's scope requires a session, so there is one. */
export function getSession({ people }: Core, c: RouteContext): Response {
  const { csrf, ends } = people.sessionOf(c.env.incoming)!
  return c.json({ csrf, ends_at_ms: ends, version: VERSION })
}

export function postSignOut({ people }: Core, c: RouteContext): Response {
  return c.json({ signed_out: true }, 200, { 'set-cookie': people.signOut() })
}
