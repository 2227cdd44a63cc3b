/** Cursor: the agent that calls us, and the hooks written for it. */

import type { Dialect, Source } from '../../spec/dialect.ts'
import { eventNames } from '../lib/payload.ts'
import { startedWith } from '../lib/unattended.ts'
import { capabilities } from './capabilities.ts'
import * as event from './events.ts'
import * as reply from './replies.ts'
import { tools } from './tools.ts'

export const dialect: Dialect = {
  id: event.ID,
  title: 'Cursor',
  events: eventNames(event.ID, event.events),
  tools,
  format: {
    closedBy: '"failClosed": true',
    files: { project: ['.cursor/hooks.json'], user: ['.cursor/hooks.json'] },
    recognises,
    read: async (source) => (await import('./config.ts')).read(source),
    encode: event.encode,
    decode: reply.decode,
    write: async (entries) => (await import('./config.ts')).write(entries),
  },
  agent: {
    proven: { by: 'docs', version: '2026.09' },
    process: { names: ['cursor', 'cursor-agent'], marks: ['CURSOR_AGENT'], opensTerminals: true },
    capabilities,
    notes: [
      "Cursor goes on when a hook fails or is late: crosshook's entry refuses before that.",
      'One event that a version does not know, or one bad pattern, and Cursor ignores the whole hooks.json: versions before preToolUse are not supported.',
      "A project's .claude/settings.json is run as well: crosshook's entry there stays silent in Cursor.",
    ],
    unattended: startedWith(['-p', '--print']),
    decode: event.decode,
    encode: reply.encode,
    caller: { marks: ['CURSOR_VERSION'], programs: ['cursor', 'cursor-agent', 'Cursor'] },
    alsoRuns: {
      user: ['.claude/settings.json'],
      project: ['.claude/settings.json', '.claude/settings.local.json'],
    },
    install: async () => (await import('./config.ts')).installer,
  },
}

function recognises({ path, text }: Source): number {
  if (/(?:^|[\\/])\.?cursor[\\/]hooks\.json$/.test(path)) return 2
  return /"(?:beforeShellExecution|beforeSubmitPrompt|beforeMCPExecution|afterFileEdit)"\s*:\s*\[/.test(
    text ?? '',
  )
    ? 2
    : 0
}
