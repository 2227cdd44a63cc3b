/** Google Antigravity: the agent that calls us, and the hooks written for it. By documentation. */

import type { Dialect, Source } from '../../spec/dialect.ts'
import { eventNames } from '../lib/payload.ts'
import { capabilities } from './capabilities.ts'
import * as event from './events.ts'
import * as reply from './replies.ts'
import { tools } from './tools.ts'

export const dialect: Dialect = {
  id: event.ID,
  title: 'Google Antigravity',
  events: eventNames(event.ID, event.events),
  tools,
  format: {
    files: { project: ['.agents/hooks.json'], user: ['.gemini/config/hooks.json'] },
    recognises,
    read: async (source) => (await import('./config.ts')).read(source),
    write: async (entries) => (await import('./config.ts')).write(entries),
    encode: event.encode,
    decode: reply.decode,
  },
  agent: {
    proven: { by: 'docs', version: '2026' },
    process: { names: ['agy', 'antigravity'], marks: [], opensTerminals: true },
    capabilities,
    notes: [
      'Not tried on the program, which no registry has. Of version 1.1.11 it is reported that only hooks of installed plugins ran: `crosshook doctor` says whether an event ever came.',
      'One mistake in hooks.json takes every hook of the file with it, without a word.',
      'It refuses a tool for which a hook gives no decision.',
    ],
    decode: event.decode,
    encode: reply.encode,
    install: async () => (await import('./config.ts')).installer,
  },
}

function recognises({ path, text }: Source): number {
  if (/(?:^|[\\/])(?:\.agents|\.gemini[\\/]config)[\\/]hooks\.json$/.test(path)) return 2
  return /"Pre(?:Invocation|ToolUse)"\s*:\s*\[/.test(text ?? '') &&
    /"PreInvocation"|"PostInvocation"/.test(text ?? '')
    ? 2
    : 0
}
