/** Copilot CLI: the agent that calls us, and the hooks written for it. */

import type { Dialect, Source } from '../../spec/dialect.ts'
import { eventNames, record } from '../lib/payload.ts'
import { startedWith } from '../lib/unattended.ts'
import { capabilities } from './capabilities.ts'
import * as event from './events.ts'
import * as reply from './replies.ts'
import { tools } from './tools.ts'

export const dialect: Dialect = {
  id: event.ID,
  title: 'Copilot CLI',
  events: eventNames(event.ID, event.events),
  tools,
  format: {
    files: { project: ['.github/hooks/*.json'], user: ['.copilot/hooks/*.json'] },
    recognises,
    read: async (source) => (await import('./config.ts')).read(source),
    encode: event.encode,
    decode: reply.decode,
    write: async (entries) => (await import('./config.ts')).write(entries),
  },
  agent: {
    proven: { by: 'run', version: '1.0.102' },
    process: { names: ['copilot', 'copilot-cli'], marks: ['COPILOT_CLI'] },
    caller: { marks: ['COPILOT_PROJECT_DIR', 'COPILOT_CLI'], programs: ['copilot'] },
    capabilities,
    http: 'Copilot CLI has HTTP hooks, but none before a tool and none on loopback without COPILOT_HOOK_ALLOW_LOCALHOST=1',
    notes: [
      'A call that crosshook answers too late goes on; one that it fails to answer before a tool is refused.',
      "A project's .github/hooks are skipped without a word in a folder that is not trusted (`--trust-folder`); the person's own are not.",
      "A project's .claude/settings.json is run as well: crosshook's entry there stays silent in Copilot CLI.",
    ],
    unattended: startedWith(['-p', '--prompt']),
    decode: event.decode,
    encode: reply.encode,
    isForeign,
    alsoRuns: { user: [], project: ['.claude/settings.json', '.claude/settings.local.json'] },
    install: async () => (await import('./config.ts')).installer,
    derives: { context_warning: { at: ['postToolUse', 'userPromptSubmitted'], limit: true } },
    history: async () => (await import('./history.ts')).history,
  },
}

/** Other programs run the same hook files with other payloads; Copilot CLI identifies itself. */
function isForeign(native: unknown, env: NodeJS.ProcessEnv): boolean {
  const { session_id, hook_event_name, sessionId } = record(native)
  return (
    env.COPILOT_CLI === undefined &&
    sessionId === undefined &&
    typeof session_id === 'string' &&
    typeof hook_event_name === 'string'
  )
}

function recognises({ path, text }: Source): number {
  if (/(?:^|[\\/])(?:\.github|\.copilot)[\\/]hooks[\\/][^\\/]+\.json$/.test(path)) return 2
  return /"(?:preToolUse|postToolUse|userPromptSubmitted|agentStop)"\s*:\s*\[\s*\{[^[]*"(?:bash|powershell)"\s*:/.test(
    text ?? '',
  )
    ? 2
    : 0
}
