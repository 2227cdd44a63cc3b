/** Qwen Code: the agent that calls us, and the hooks written for it. */

import type { Dialect, Source } from '../../spec/dialect.ts'
import { eventNames } from '../lib/payload.ts'
import { startedWith } from '../lib/unattended.ts'
import { capabilities, http } from './capabilities.ts'
import * as event from './events.ts'
import * as reply from './replies.ts'
import { tools } from './tools.ts'

export const dialect: Dialect = {
  id: event.ID,
  title: 'Qwen Code',
  events: eventNames(event.ID, event.events),
  tools,
  format: {
    files: { project: ['.qwen/settings.json'], user: ['.qwen/settings.json'] },
    recognises,
    read: async (source) => (await import('./config.ts')).read(source),
    write: async (entries) => (await import('./config.ts')).write(entries),
    encode: event.encode,
    decode: reply.decode,
  },
  agent: {
    proven: { by: 'run', version: '0.24.4' },
    process: { names: ['qwen', 'qwen-code'], marks: ['QWEN_CODE'] },
    capabilities,
    http,
    notes: [
      "Qwen Code goes on when a hook fails or is late: crosshook's entry refuses before that.",
      'Headless without --yolo the shell is declined before any hook.',
      'An input cannot be rewritten headless: a rewrite becomes a deny with its reason.',
      'An ask becomes a deny.',
    ],
    unattended: startedWith(['-p', '--prompt']),
    decode: event.decode,
    encode: reply.encode,
    install: async () => (await import('./config.ts')).installer,
    derives: { context_warning: { at: ['PostToolUse', 'UserPromptSubmit'], limit: false } },
    history: async () => (await import('./history.ts')).history,
  },
}

function recognises({ path, text }: Source): number {
  if (/(?:^|[\\/])\.qwen[\\/]settings\.json$/.test(path)) return 2
  return /"(?:TodoCreated|TodoCompleted|SessionDelete)"\s*:\s*\[/.test(text ?? '') ? 2 : 0
}
