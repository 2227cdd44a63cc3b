/** Windsurf: the agent that calls us, and the hooks written for it. */

import type { Dialect, Source } from '../../spec/dialect.ts'
import { eventNames } from '../lib/payload.ts'
import { capabilities } from './capabilities.ts'
import * as event from './events.ts'
import * as reply from './replies.ts'
import { tools } from './tools.ts'

export const dialect: Dialect = {
  id: event.ID,
  title: 'Windsurf',
  events: eventNames(event.ID, event.events),
  tools,
  format: {
    exitDecides: true,
    files: { project: ['.windsurf/hooks.json'], user: ['.codeium/windsurf/hooks.json'] },
    recognises,
    read: async (source) => (await import('./config.ts')).read(source),
    encode: event.encode,
    decode: reply.decode,
  },
  agent: {
    proven: { by: 'docs', version: '2026' },
    process: { names: ['windsurf', 'windsurf-next'], marks: [], opensTerminals: true },
    capabilities,
    notes: [
      "Windsurf goes on when a hook fails or is late: crosshook's entry refuses before that.",
      'A deny before a tool and before a prompt is all that it takes: no context, no rewritten input.',
    ],
    decode: event.decode,
    encode: reply.encode,
    install: async () => (await import('./config.ts')).installer,
  },
}

function recognises({ path, text }: Source): number {
  if (/(?:^|[\\/])\.?windsurf[\\/]hooks\.json$/.test(path)) return 2
  return /"(?:pre|post)_(?:run_command|write_code|read_code|mcp_tool_use)"\s*:\s*\[/.test(text ?? '') ? 2 : 0
}
