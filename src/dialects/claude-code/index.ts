/** Claude Code: the agent that calls us, and the hooks written for it. */

import type { AgentRun, Dialect, Source } from '../../spec/dialect.ts'
import { eventNames } from '../lib/payload.ts'
import { startedWith } from '../lib/unattended.ts'
import { capabilities, http } from './capabilities.ts'
import * as event from './events.ts'
import * as reply from './replies.ts'
import { tools } from './tools.ts'

export const dialect: Dialect = {
  id: event.ID,
  title: 'Claude Code',
  events: eventNames(event.ID, event.events),
  tools,
  format: {
    closedBy: '"onFailure": "block"',
    files: {
      project: ['.claude/settings.json', '.claude/settings.local.json'],
      user: ['.claude/settings.json'],
    },
    recognises,
    read: async (source) => (await import('./config.ts')).read(source),
    write: async (entries) => (await import('./config.ts')).write(entries),
    encode: event.encode,
    decode: reply.decode,
  },
  agent: {
    isShown: true,
    proven: { by: 'run', version: '2.1.325' },
    process: { names: ['claude', 'claude-code'], marks: ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID'] },
    caller: { marks: ['CLAUDE_CODE_SESSION_ID'], programs: ['claude', 'claude-code'] },
    capabilities,
    http,
    notes: [
      "Claude Code goes on when a hook fails or is late: crosshook's entry refuses before that.",
      'An allow on PreToolUse is no objection and approves nothing; only an allow on PermissionRequest does.',
      "A project's .claude/settings.json is also run by other agents (Copilot CLI, VS Code, Cursor).",
    ],
    unattended,
    decode: event.decode,
    encode: reply.encode,
    install: async () => (await import('./install.ts')).installer,
    derives: { context_warning: { at: ['PostToolUse', 'UserPromptSubmit'], limit: false } },
    history: async () => (await import('./history.ts')).history,
  },
}

const printing = startedWith(['-p', '--print'], ['--permission-prompt-tool'])

/** Programs that embed it (`sdk-ts`, `sdk-py`) show questions themselves. */
function unattended(run: AgentRun): boolean {
  return printing(run) || run.env.CLAUDE_CODE_ENTRYPOINT === 'sdk-cli'
}

function recognises({ path, text }: Source): number {
  if (/(?:^|[\\/])\.claude[\\/]settings[\w.-]*\.json$/.test(path)) return 2
  return /"(?:PreToolUse|PostToolUse|UserPromptSubmit|SessionStart|Stop)"\s*:\s*\[\s*\{[^[]*"hooks"\s*:\s*\[/.test(
    text ?? '',
  )
    ? 1
    : 0
}
