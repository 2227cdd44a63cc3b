/** The lines of `--debug`, as specified in the Agent Hooks documents. */

import type { HookEvent } from '../../spec/event.ts'
import type { Hook } from '../../spec/hook.ts'
import type { HookReport } from '../../spec/outcome.ts'

const MAX_INPUT_CHARS = 2000

export interface DebugLines {
  started(hook: Hook): void
  ended(hook: Hook, entry: HookReport): void
}

/** `redact` removes secrets of events and answers from the lines. */
export function debugLines(
  event: HookEvent,
  write: (line: string) => void,
  redact: <T>(value: T) => T,
): DebugLines {
  const say = (text: string) => write(`[HOOK DEBUG] ${redact(text)}`)
  const mode = (hook: Hook) => (hook.mode === 'background' ? '[ASYNC]' : '[SYNC]')
  return {
    started(hook) {
      say(`${mode(hook)} Starting hook '${hook.name}' for event '${event.event_type}'`)
      const { native: _, ...input } = event
      say(`Input: ${JSON.stringify(redact(input)).slice(0, MAX_INPUT_CHARS)}`)
    },
    ended(hook, entry) {
      const blocked = entry.status === 'blocked' ? 'True' : 'False'
      say(
        `${mode(hook)} Completed hook '${hook.name}' in ${Math.round(entry.duration_ms)}ms: blocked=${blocked}`,
      )
      if (entry.log !== undefined) say(`Log: ${entry.log}`)
      if (entry.reason) say(`Reason: ${entry.reason}`)
      if (entry.error) say(`Hook '${hook.name}' failed: ${entry.error}`)
      for (const warning of entry.warnings ?? []) say(`Warning: ${warning}`)
    },
  }
}
