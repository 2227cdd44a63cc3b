/** VS Code's agent mode: the agent that calls us, and the hooks written for it. */

import type { Dialect, Source } from '../../spec/dialect.ts'
import { eventNames } from '../lib/payload.ts'
import { capabilities } from './capabilities.ts'
import * as event from './events.ts'
import * as reply from './replies.ts'
import { tools } from './tools.ts'

export const dialect: Dialect = {
  id: event.ID,
  title: 'VS Code',
  events: eventNames(event.ID, event.events),
  tools,
  format: {
    // Its folders are shared with another agent, whose format reads them.
    files: { project: [], user: [] },
    recognises,
    read: async (source) => (await import('./config.ts')).read(source),
    encode: event.encode,
    decode: reply.decode,
    write: async (entries) => (await import('./config.ts')).write(entries),
  },
  agent: {
    proven: { by: 'docs', version: '2026, hooks in preview' },
    process: { names: ['code', 'code-insiders', 'codium', 'code-server'], marks: [], opensTerminals: true },
    capabilities,
    notes: [
      'Hooks are a preview: an organisation can switch them off.',
      "VS Code also runs .claude/settings.json, without its matchers: crosshook's entry there answers only its own agent.",
      'The folders of hooks are shared with Copilot CLI; each entry answers only the agent it was made for.',
    ],
    decode: event.decode,
    encode: reply.encode,
    alsoRuns: {
      user: ['.copilot/hooks/*.json', '.claude/settings.json'],
      project: ['.github/hooks/*.json', '.claude/settings.json', '.claude/settings.local.json'],
    },
    install: async () => (await import('./config.ts')).installer,
  },
}

/** Entries by platform are the one thing that nobody else has. */
function recognises({ text }: Source): number {
  return /"(?:PreToolUse|PostToolUse|SessionStart|Stop)"\s*:\s*\[\s*\{[^[\]]*"(?:windows|linux|osx)"\s*:/.test(
    text ?? '',
  )
    ? 2
    : 0
}
