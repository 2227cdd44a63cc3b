/** Kiro's hook files (IDE 1.x, command line v3): the agent that calls us. The dialect of its older agent files reads hooks of both. */

import type { Dialect } from '../../spec/dialect.ts'
import { eventNames } from '../lib/payload.ts'
import { capabilities } from './capabilities.ts'
import { decode, events, ID } from './events.ts'
import { encode } from './replies.ts'
import { tools } from './tools.ts'

export const dialect: Dialect = {
  id: ID,
  title: 'Kiro',
  events: eventNames(ID, events),
  tools,
  agent: {
    proven: { by: 'docs', version: 'IDE 1.0, CLI 3' },
    process: { names: ['kiro'], marks: [], opensTerminals: true },
    capabilities,
    notes: [
      "Kiro goes on when a hook fails or is late: crosshook's entry refuses before that.",
      'The command line 2.x does not read hook files: there, hooks belong to agents. Version 3 reads both, so install one of the two.',
    ],
    decode,
    encode,
    alsoRuns: { user: ['.kiro/hooks/*.json'], project: ['.kiro/hooks/*.json'] },
    install: async () => (await import('./config.ts')).installer,
  },
}
