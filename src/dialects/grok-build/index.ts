/** Grok Build: the agent that calls us, and the hooks written for it. */

import type { AgentRun, Dialect, Source } from '../../spec/dialect.ts'
import { eventNames, record } from '../lib/payload.ts'
import { startedWith } from '../lib/unattended.ts'
import { capabilities } from './capabilities.ts'
import * as event from './events.ts'
import * as reply from './replies.ts'
import { tools } from './tools.ts'

export const dialect: Dialect = {
  id: event.ID,
  title: 'Grok Build',
  events: eventNames(event.ID, event.events),
  tools,
  format: {
    files: { project: ['.grok/hooks/*.json'], user: ['.grok/hooks/*.json'] },
    recognises,
    read: async (source) => (await import('./config.ts')).read(source),
    write: async (entries) => (await import('./config.ts')).write(entries),
    encode: event.encode,
    decode: reply.decode,
  },
  agent: {
    proven: { by: 'run', version: '1.0.41' },
    process: { names: ['grok', 'grok-build'], marks: ['GROK_AGENT', 'GROK_SESSION_ID'] },
    caller: { marks: ['GROK_HOOK_EVENT'], programs: ['grok', 'grok-build'] },
    alsoRuns: {
      user: ['.claude/settings.json', '.claude/settings.local.json', '.cursor/hooks.json'],
      project: ['.claude/settings.json', '.claude/settings.local.json', '.cursor/hooks.json'],
    },
    capabilities,
    http: 'Grok Build has HTTP hooks, which send neither a token nor the environment',
    notes: [
      "Grok Build goes on when a hook fails or is late: crosshook's entry refuses before that.",
      'An input of more than 128 KB reaches hooks cut off: where a guard is there, such a call is refused.',
      "It also runs the hooks of Claude Code and Cursor: crosshook's entries there stay silent in Grok Build.",
      "A project's hooks are skipped without a word until its folder is trusted (`--trust`); the person's own are not.",
    ],
    unattended,
    decode: event.decode,
    encode: reply.encode,
    install: async () => (await import('./config.ts')).installer,
    derives: { context_warning: { at: ['PostToolUse'], limit: false } },
    history: async () => (await import('./history.ts')).history,
  },
}

const headless = startedWith(['-p', '--single', '--prompt-file', '--prompt-json'])

/** A client that approves everything would also approve an `ask`. */
function unattended(run: AgentRun): boolean {
  const { permissionMode, permission_mode } = record(run.native)
  return headless(run) || (permissionMode ?? permission_mode) === 'bypassPermissions'
}

function recognises({ path }: Source): number {
  return /(?:^|[\\/])\.grok[\\/]hooks[\\/][^\\/]+\.json$/.test(path) ? 2 : 0
}
