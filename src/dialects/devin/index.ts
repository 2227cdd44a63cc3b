/** Devin CLI: the agent that calls us, and the hooks written for it. By documentation. */

import type { Dialect, Source } from '../../spec/dialect.ts'
import { eventNames } from '../lib/payload.ts'
import { capabilities } from './capabilities.ts'
import * as event from './events.ts'
import * as reply from './replies.ts'
import { tools } from './tools.ts'

export const dialect: Dialect = {
  id: event.ID,
  title: 'Devin CLI',
  events: eventNames(event.ID, event.events),
  tools,
  format: {
    files: {
      project: ['.devin/config.json', '.devin/config.local.json', '.devin/hooks.v1.json'],
      user: ['.config/devin/config.json'],
    },
    recognises,
    read: async (source) => (await import('./config.ts')).read(source),
    write: async (entries) => (await import('./config.ts')).write(entries),
    encode: event.encode,
    decode: reply.decode,
  },
  agent: {
    proven: { by: 'docs', version: '2026' },
    process: { names: ['devin'], marks: [] },
    caller: { marks: ['DEVIN_PROJECT_DIR'], programs: ['devin'] },
    alsoRuns: {
      user: ['.claude/settings.json'],
      project: ['.claude/settings.json', '.claude/settings.local.json'],
    },
    capabilities,
    notes: [
      "Devin CLI goes on when a hook fails or is late: crosshook's entry refuses before that.",
      "It also runs the hooks of Claude Code: crosshook's entries there stay silent in Devin CLI.",
      'Not tried on the program, which no registry has. That a person has hooks in ~/.config/devin/config.json is what its documentation says.',
    ],
    decode: event.decode,
    encode: reply.encode,
    install: async () => (await import('./config.ts')).installer,
  },
}

function recognises({ path }: Source): number {
  return /(?:^|[\\/])\.devin[\\/](?:hooks\.v1|config[\w.]*)\.json$|[\\/]devin[\\/]config\.json$/.test(path)
    ? 2
    : 0
}
