/**
 * Refuses requests reserved to people when they come from a program that an agent started, as far as the kernel knows.
 */

import type { IncomingMessage } from 'node:http'
import { CrosshookError } from '../../spec/errors.ts'

export async function refuseAgents({ socket }: IncomingMessage): Promise<void> {
  const { agentBehind } = await import('../peer.ts')
  const agent = await agentBehind(socket)
  if (agent !== undefined)
    throw new CrosshookError(
      'refused',
      `this comes from a program that ${agent} has started, and is for people alone`,
      {
        fix: 'Nothing was changed. Use a browser and a terminal that no agent has opened.',
      },
    )
}
