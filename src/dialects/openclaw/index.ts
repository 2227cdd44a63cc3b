/** OpenClaw: our plugin in it calls us. Its own hooks are functions of plugins, not programs that could run elsewhere. */

import type { Dialect } from '../../spec/dialect.ts'
import { eventNames, record } from '../lib/payload.ts'
import { encodePluginReply } from '../lib/plugin-reply.ts'
import { capabilities } from './capabilities.ts'
import { decode, events, ID } from './events.ts'
import { tools } from './tools.ts'

export const dialect: Dialect = {
  id: ID,
  title: 'OpenClaw',
  events: eventNames(ID, events),
  tools,
  agent: {
    proven: { by: 'run', version: '2026.9.6' },
    process: { names: ['openclaw'], marks: ['OPENCLAW_SHELL'] },
    capabilities,
    notes: [
      '`openclaw agent exec` loads no plugin, so it asks no hook: `openclaw agent --local` and the gateway do.',
      'A gateway that runs takes the plugin after `openclaw plugins reload crosshook`, or when it is started again.',
      'The plugin refuses a call when crosshook fails or is not on the machine any more.',
      'A profile (`--profile NAME`) has settings of its own: install with OPENCLAW_STATE_DIR set to its folder.',
    ],
    decode,
    encode: (outcome, event) => encodePluginReply(outcome, event, tools, record(event.native).params),
    install: async () => (await import('./config.ts')).installer,
  },
}
