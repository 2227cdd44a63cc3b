/** Gemini CLI: the agent that calls us, and the hooks written for it. */

import type { Dialect, Source } from '../../spec/dialect.ts'
import { eventNames } from '../lib/payload.ts'
import { capabilities } from './capabilities.ts'
import * as event from './events.ts'
import * as reply from './replies.ts'
import { tools } from './tools.ts'

export const dialect: Dialect = {
  id: event.ID,
  title: 'Gemini CLI',
  events: eventNames(event.ID, event.events),
  tools,
  format: {
    files: { project: ['.gemini/settings.json'], user: ['.gemini/settings.json'] },
    recognises,
    read: async (source) => (await import('./config.ts')).read(source),
    write: async (entries) => (await import('./config.ts')).write(entries),
    encode: event.encode,
    decode: reply.decode,
  },
  agent: {
    isShown: true,
    proven: { by: 'run', version: '0.61.0' },
    process: { names: ['gemini', 'gemini-cli'], marks: ['GEMINI_CLI'] },
    capabilities,
    notes: [
      "Its time limit does not bound a hook: crosshook's own limits do.",
      "In a folder that is not trusted no hook runs, a person's own neither.",
      'Calls of subagents cannot be told from those of the main agent.',
      'Headless without --yolo the shell tool does not exist, and no hook fires for it.',
      'An ask becomes a deny.',
    ],
    decode: event.decode,
    encode: reply.encode,
    install: async () => (await import('./config.ts')).installer,
    derives: { context_warning: { at: ['AfterTool', 'BeforeAgent'], limit: false } },
    history: async () => (await import('./history.ts')).history,
  },
}

function recognises({ path, text }: Source): number {
  if (/(?:^|[\\/])\.gemini[\\/]settings\.json$/.test(path)) return 2
  return /"(?:BeforeTool|AfterTool|BeforeAgent|AfterAgent|BeforeModel|PreCompress)"\s*:\s*\[/.test(text ?? '')
    ? 2
    : 0
}
