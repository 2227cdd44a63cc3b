/** Claude Inference hooks: the provider's servers ask a hub before each prompt and each round of tool calls. */

import type { Dialect } from '../../spec/dialect.ts'
import { eventNames } from '../lib/payload.ts'
import { capabilities } from './capabilities.ts'
import * as event from './events.ts'
import { encode } from './replies.ts'
import { tools } from './tools.ts'

export const dialect: Dialect = {
  id: event.ID,
  title: 'Claude Inference hooks',
  events: eventNames(event.ID, event.events),
  tools,
  agent: {
    proven: { by: 'docs', version: 'November 2026' },
    // It is a service; nothing is installed on a machine.
    process: { names: [], marks: [] },
    capabilities,
    notes: [
      'A hub answers it: docs/fleet.md. Nothing is installed on machines.',
      'Hooks that start programs do not run on a hub: they fail, open or closed as they say.',
    ],
    decode: event.decode,
    encode,
    provider: { path: 'inference-hook', parts: event.parts },
  },
}
