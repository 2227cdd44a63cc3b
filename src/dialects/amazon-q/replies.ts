/** What a hook of this format printed and how it ended → an outcome; an outcome → what the agent obeys. */

import type { Decoded, Reply } from '../../spec/dialect.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { failure, type Outcome } from '../../spec/outcome.ts'
import { cutBytes, ID, isStandalone, triggerOf } from './events.ts'

/** Where stdout is read by the model. Elsewhere it is captured and dropped. */
const CONTEXT_EVENTS = ['session_start', 'before_agent']

export function decode(raw: RawResult, event: HookEvent, hook: Hook): Decoded {
  if (hook.run.type === 'outcome') return { outcome: hook.run.outcome }
  const trigger = hook.native_event ?? triggerOf(event.event_type)
  const code = raw.signal ? -1 : (raw.exit_code ?? -1)
  if (code === 0) return { outcome: succeeded(cut(raw.stdout, hook, raw.truncated), event) }
  const stderr = cut(raw.stderr, hook).trimEnd()
  if (code === 2 && mayBlock(event.event_type, trigger)) return { outcome: blocked(stderr, trigger, hook) }
  const message = `${trigger} "${commandOf(hook)}" failed with exit code: ${code}, stderr: ${stderr}`
  return { outcome: failure(message, { retryable: false, exit_code: code, user_message: message }) }
}

/** One entry around everything that the hooks of one trigger printed. */
export function wrapContext(texts: readonly string[], event: HookEvent): string[] {
  // The agent itself adds this frame around our output.
  if (texts.length === 0 || event.agent === ID || !CONTEXT_EVENTS.includes(event.event_type))
    return [...texts]
  const whole = event.event_type === 'session_start' ? ' for the entire conversation' : ''
  return [
    '--- CONTEXT ENTRY BEGIN ---\n' +
      'This section (like others) contains important information that I want you to use in your responses. ' +
      'I have gathered this context from valuable programmatic script hooks. ' +
      `You must follow any requests and consider all of the information in this section${whole}\n\n` +
      texts.map((text) => `${text}\n\n`).join('') +
      '--- CONTEXT ENTRY END ---\n\n',
  ]
}

/** Exit 2 blocks, stdout is context; anything else that people must see is a warning: stderr with another exit code. */
export function encode(outcome: Outcome, event: HookEvent): Reply {
  const denied = outcome.decision === 'deny' || outcome.stop !== undefined
  if (denied) {
    const reason = outcome.reason ?? outcome.stop ?? outcome.user_message ?? 'Blocked by a hook'
    const trigger = event.native_event ?? triggerOf(event.event_type)
    return { stdout: '', stderr: `${reason}\n`, exit_code: mayBlock(event.event_type, trigger) ? 2 : 1 }
  }
  const context = CONTEXT_EVENTS.includes(event.event_type) ? (outcome.additional_context ?? []) : []
  // People read stderr only of a hook that failed, whose stdout the model then does not read.
  if (context.length === 0 && outcome.user_message)
    return { stdout: '', stderr: `${outcome.user_message}\n`, exit_code: 1 }
  return { stdout: context.join('\n\n'), stderr: '', exit_code: 0 }
}

/** Agent files: preToolUse alone. Stand-alone files: also the prompt. */
export function mayBlock(eventType: string, trigger: string): boolean {
  return eventType === 'before_tool' || (eventType === 'before_agent' && isStandalone(trigger))
}

function succeeded(stdout: string, event: HookEvent): Outcome {
  if (stdout.trim() === '') return {}
  return CONTEXT_EVENTS.includes(event.event_type) ? { additional_context: [stdout] } : { log: stdout }
}

function blocked(stderr: string, trigger: string, hook: Hook): Outcome {
  const reason = stderr.trim() === '' ? `${trigger} "${commandOf(hook)}" exited with code 2` : stderr
  return { decision: 'deny', reason, user_message: reason }
}

/** A cut in the middle of a character leaves a replacement character, which is removed. */
function cut(output: string | undefined, hook: Hook, truncated = false): string {
  const text = truncated ? (output ?? '').replace(/\uFFFD+$/, '') : (output ?? '')
  const kept = cutBytes(text, hook.output_limit)
  return truncated || kept.length < text.length ? `${kept} ... truncated` : text
}

function commandOf(hook: Hook): string {
  return hook.run.type === 'command' && 'command' in hook.run ? hook.run.command : hook.name
}
