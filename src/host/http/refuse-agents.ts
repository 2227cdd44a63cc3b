/**
 * Refuses requests reserved to people when they come from a program that an agent started, as far as the kernel knows.
 */

import type { IncomingMessage } from 'node:http'
import { CrosshookError } from '../../spec/errors.ts'
import type { Core } from '../core.ts'
import { isLinkProof, LINK_PROOF_HEADER } from '../people.ts'
import { trusted } from './trusted.ts'

export async function refuseAgents({ socket }: IncomingMessage): Promise<void> {
  const { agentBehind, forPeopleAlone } = await import('../peer.ts')
  const agent = await agentBehind(socket)
  if (agent !== undefined) throw forPeopleAlone(agent)
}

/**
 * The same for changes that need no session of the page. Who is at the other end of a socket in the file system cannot be
 * told, so its requests prove that they come from a command that has asked for a person.
 */
export async function refuseUnproven({ runtime }: Core, request: IncomingMessage): Promise<void> {
  if (!trusted.has(request)) return refuseAgents(request)
  if (isLinkProof(runtime.paths.state, request.headers[LINK_PROOF_HEADER])) return
  throw new CrosshookError('refused', 'this changes guards, and the socket does not say who asks for it', {
    fix: 'Nothing was changed. Use the command for it (`crosshook daemon forget ID`), or the address of `crosshook daemon status` with the token.',
  })
}
