/** What only people may ask for is refused to programs that an agent has started, as far as the kernel tells who asks. */

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
