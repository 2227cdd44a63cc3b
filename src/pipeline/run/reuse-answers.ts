/** Stores answers of hooks with `cache` and reuses them for the same input, also across processes. */

import type { Answer } from '../../engine/attempt.ts'
import { digest } from '../../fast/digest.ts'
import type { Journal } from '../../journal/port.ts'
import { redactDeep } from '../../redact/redact.ts'
import { eventRow, type HookEvent } from '../../spec/event.ts'
import type { Hook } from '../../spec/hook.ts'
import { codeFingerprint } from './code-fingerprint.ts'
import type { AnswerCache } from './run-once.ts'

export function answerCache(open: () => Journal): AnswerCache {
  return {
    get(hook, event) {
      if (!hook.cache) return undefined
      return open().answers.get(key(hook, event), hook.cache.seconds) as Answer | undefined
    },
    set(hook, event, answer) {
      // Answers with a secret are not stored: the hook runs again.
      if (hook.cache && JSON.stringify(redactDeep(answer)) === JSON.stringify(answer))
        open().answers.set(key(hook, event), answer, hook.cache.seconds)
    },
  }
}

/**
 * What a hook decides from: its definition, its files and the event's own fields, but not the time or the call's id.
 */
function key(hook: Hook, event: HookEvent): string {
  const files = codeFingerprint(hook, event.work_dir)
  if (hook.cache?.key === 'hook') return digest([hook, files, event.event_type])
  const own = Object.keys(eventRow(event.event_type).fields).filter(
    (field) => field !== 'tool_use_id' && field !== 'duration_ms',
  )
  return digest([
    hook,
    files,
    event.event_type,
    event.work_dir,
    event.agent ?? null,
    own.map((field) => event[field] ?? null),
  ])
}
