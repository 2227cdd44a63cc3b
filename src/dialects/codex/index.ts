/** Codex: the agent that calls us, and the hooks written for it. */

import type { Dialect, Source } from '../../spec/dialect.ts'
import { eventNames } from '../lib/payload.ts'
import { capabilities } from './capabilities.ts'
import * as event from './events.ts'
import * as reply from './replies.ts'
import { tools } from './tools.ts'

export const dialect: Dialect = {
  id: event.ID,
  title: 'Codex',
  events: eventNames(event.ID, event.events),
  tools,
  format: {
    files: {
      project: ['.codex/hooks.json', '.codex/config.toml'],
      user: ['.codex/hooks.json', '.codex/config.toml'],
    },
    recognises,
    read: async (source) => (await import('./config.ts')).read(source),
    write: async (entries) => (await import('./config.ts')).write(entries),
    encode: event.encode,
    decode: reply.decode,
  },
  agent: {
    isShown: true,
    proven: { by: 'run', version: '0.166.0' },
    process: { names: ['codex'], marks: ['CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED'] },
    capabilities,
    notes: [
      "A hook that is not trusted is skipped without a word, a person's own as well: trust it in /hooks, or let the installer record it.",
      'Hooks of a project also need the project to be trusted in Codex.',
      "Codex goes on when a hook fails or is late: crosshook's entry refuses before that.",
      'An ask becomes a deny.',
    ],
    decode: event.decode,
    encode: reply.encode,
    install: async () => (await import('./config.ts')).installer,
    derives: { context_warning: { at: ['PostToolUse', 'UserPromptSubmit'], limit: true } },
    history: async () => (await import('./history.ts')).history,
  },
}

function recognises({ path, text }: Source): number {
  const [, name] = /(?:^|[\\/])\.codex[\\/](hooks\.json|config\.toml)$/.exec(path) ?? []
  if (name === 'hooks.json') return 2
  return /^\s*\[\[hooks\.[A-Z]\w+\]\]/m.test(text ?? '') ? 2 : name === undefined ? 0 : 1
}
