/** The lines of `--debug`, in the words of the Agent Hooks documents. */

import type { Hook } from '../spec/hook.ts'
import type { HookReport } from '../spec/outcome.ts'

export interface DebugLines {
  started(hook: Hook): void
  ended(hook: Hook, entry: HookReport): void
}

export function debugLines(eventType: string, write: (line: string) => void): DebugLines {
  const say = (text: string) => write(`[HOOK DEBUG] ${text}`)
  const mode = (hook: Hook) => (hook.mode === 'background' ? '[ASYNC]' : '[SYNC]')
  return {
    started: (hook) => say(`${mode(hook)} Starting hook '${hook.name}' for event '${eventType}'`),
    ended(hook, entry) {
      const blocked = entry.status === 'blocked' ? 'True' : 'False'
      say(
        `${mode(hook)} Completed hook '${hook.name}' in ${Math.round(entry.duration_ms)}ms: blocked=${blocked}`,
      )
      if (entry.reason) say(`Reason: ${entry.reason}`)
      if (entry.error) say(`Hook '${hook.name}' failed: ${entry.error}`)
      for (const warning of entry.warnings ?? []) say(`Warning: ${warning}`)
    },
  }
}
