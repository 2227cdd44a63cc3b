/** Outcome → what Claude Code obeys, and the answers of hooks written for it → outcomes. */

import type { Decoded, Reply } from '../../spec/dialect.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { failure, type Outcome } from '../../spec/outcome.ts'
import {
  contextOf,
  exitReply,
  given,
  jsonReply,
  printPermissionUpdates,
  readFamilyReply,
  reasonOf,
  SILENT,
  specific,
  wholeJson,
} from '../lib/hook-specific-output.ts'
import { readVerdict } from '../lib/model-verdict.ts'
import { isRecord, record, string } from '../lib/payload.ts'
import { canonicalInput, wholeNativeInput } from '../lib/rewrite.ts'
import { tools } from './tools.ts'

/** Only exit code 2 stops these, by documentation. */
const EXIT_CODE_EVENTS = new Set(['TeammateIdle'])

export function encode(outcome: Outcome, event: HookEvent): Reply {
  const name = event.native_event ?? ''
  const blocked = outcome.decision === 'deny' || outcome.stop !== undefined
  if (name === 'WorktreeCreate') return worktreeReply(outcome, blocked)
  if (EXIT_CODE_EVENTS.has(name) && blocked) return exitReply(reasonOf(outcome))
  if (name === 'PreCompact' && !blocked) return instructionsReply(outcome)
  const members = MEMBERS[name] ?? defaultMembers
  return jsonReply({
    ...(outcome.stop === undefined ? {} : { continue: false, stopReason: outcome.stop || reasonOf(outcome) }),
    ...(outcome.user_message ? { systemMessage: outcome.user_message } : {}),
    ...members(outcome, event, blocked),
  })
}

type Members = (outcome: Outcome, event: HookEvent, blocked: boolean) => object

/** `decision: block` with its reason, and context beside it. */
const defaultMembers: Members = (outcome, event, blocked) => ({
  ...(outcome.decision === 'deny' ? { decision: 'block', reason: reasonOf(outcome) } : {}),
  ...(blocked && outcome.decision !== 'deny'
    ? {}
    : specific(event.native_event ?? '', { additionalContext: contextOf(outcome) })),
})

/** "Do not stop yet" is one message to the model, so the context is added to it. */
const stopMembers: Members = (outcome, event, blocked) => {
  if (outcome.stop !== undefined) return {}
  if (!blocked) return specific(event.native_event ?? '', { additionalContext: contextOf(outcome) })
  return { decision: 'block', reason: [reasonOf(outcome), contextOf(outcome)].filter(Boolean).join('\n\n') }
}

const sessionMembers: Members = (outcome, event) =>
  specific(event.native_event ?? '', {
    additionalContext: contextOf(outcome),
    initialUserMessage: outcome.initial_user_message,
    watchPaths: outcome.watch_paths,
  })

const MEMBERS: Readonly<Record<string, Members>> = {
  // A stop alone would let the tool run before the turn ends.
  PreToolUse: (outcome, event, blocked) =>
    specific('PreToolUse', {
      permissionDecision: blocked ? 'deny' : outcome.decision === 'ask' ? 'ask' : undefined,
      permissionDecisionReason: blocked || outcome.decision === 'ask' ? reasonOf(outcome) : undefined,
      updatedInput:
        blocked || !outcome.updated_input ? undefined : wholeNativeInput(tools, event, outcome.updated_input),
      additionalContext: contextOf(outcome),
    }),
  PreModelSwitch: (outcome, _event, blocked) =>
    blocked
      ? specific('PreModelSwitch', {
          permissionDecision: 'deny',
          permissionDecisionReason: reasonOf(outcome),
        })
      : {},
  PostToolUse: (outcome, event, blocked) => {
    const output =
      outcome.updated_output === undefined ? undefined : nativeOutput(outcome.updated_output, event)
    const context = [contextOf(outcome), output?.context].filter(Boolean).join('\n\n') || undefined
    return {
      ...(blocked && outcome.stop === undefined ? { decision: 'block', reason: reasonOf(outcome) } : {}),
      ...specific('PostToolUse', { updatedToolOutput: output?.value, additionalContext: context }),
    }
  },
  PermissionRequest: (outcome, event, blocked) => {
    if (blocked) {
      const interrupt = outcome.stop === undefined ? {} : { interrupt: true }
      return specific('PermissionRequest', {
        decision: { behavior: 'deny', message: reasonOf(outcome), ...interrupt },
      })
    }
    if (outcome.decision === 'ask') return {}
    if (outcome.decision !== 'allow' && !outcome.updated_input && !outcome.updated_permissions) return {}
    return specific('PermissionRequest', {
      decision: given({
        behavior: 'allow',
        updatedInput: outcome.updated_input && wholeNativeInput(tools, event, outcome.updated_input),
        updatedPermissions:
          outcome.updated_permissions && printPermissionUpdates(outcome.updated_permissions),
      }),
    })
  },
  PermissionDenied: (outcome) =>
    outcome.retry === undefined ? {} : specific('PermissionDenied', { retry: true }),
  SessionStart: sessionMembers,
  CwdChanged: sessionMembers,
  FileChanged: sessionMembers,
  Stop: stopMembers,
  SubagentStop: stopMembers,
  Elicitation: (outcome, _event, blocked) => {
    if (blocked) return specific('Elicitation', { action: 'decline' })
    if (outcome.updated_output === undefined) return {}
    const answer = outcome.updated_output
    return specific(
      'Elicitation',
      isRecord(answer) && 'action' in answer ? answer : { action: 'accept', content: answer },
    )
  },
  MessageDisplay: (outcome) =>
    outcome.updated_output === undefined
      ? {}
      : specific('MessageDisplay', { displayContent: String(outcome.updated_output) }),
}

/** Claude Code accepts a replaced output of a built-in tool only in the tool's own shape. */
function nativeOutput(updated: unknown, event: HookEvent): { value?: unknown; context?: string } {
  const original = record(event.native).tool_response
  if (!isRecord(original)) return { value: updated }
  if (isRecord(updated)) return { value: { ...original, ...updated } }
  const text = typeof updated === 'string' ? updated : JSON.stringify(updated)
  if (typeof original.stdout === 'string') return { value: { ...original, stdout: text, stderr: '' } }
  if (isRecord(original.file)) return { value: { ...original, file: { ...original.file, content: text } } }
  return { context: `A hook replaced the output of this tool. Read it as:\n${text}` }
}

function worktreeReply(outcome: Outcome, blocked: boolean): Reply {
  if (blocked) return { stdout: '', stderr: `${reasonOf(outcome)}\n`, exit_code: 1 }
  const path = string(outcome.updated_output)
  return path ? { stdout: `${path}\n`, stderr: '', exit_code: 0 } : SILENT
}

/** Plain text is appended to the summary's instructions; a brace would make it a reply. */
function instructionsReply(outcome: Outcome): Reply {
  const text = contextOf(outcome)
  if (text === undefined)
    return jsonReply(outcome.user_message ? { systemMessage: outcome.user_message } : {})
  return { stdout: `${text.startsWith('{') ? `Note: ${text}` : text}\n`, stderr: '', exit_code: 0 }
}

/** Plain output of these is context for the model. */
const TEXT_IS_CONTEXT = new Set(['SessionStart', 'UserPromptSubmit', 'PreCompact'])
const PERMISSION_DECISIONS = ['allow', 'deny', 'ask', 'defer']
const LEGACY_DECISIONS = ['approve', 'block']

export function decode(raw: RawResult, event: HookEvent, hook: Hook): Decoded {
  const name = hook.native_event ?? event.native_event ?? ''
  if (hook.run.type === 'prompt' || hook.run.type === 'agent') return { outcome: readVerdict(raw) }
  if (hook.run.type === 'http') return decodeHttp(raw, event, name)
  const stderr = (raw.stderr ?? '').trim()
  if (raw.exit_code === 2) {
    const reason = stderr || 'Blocked by hook'
    return { outcome: name === 'PostToolBatch' ? { stop: reason } : { decision: 'deny', reason } }
  }
  if (raw.exit_code !== 0 && name === 'WorktreeCreate')
    return { outcome: { decision: 'deny', reason: stderr || 'The hook failed.' } }
  const json = wholeJson(raw.stdout)
  if (json && name !== 'WorktreeCreate') return decodeJson(json, event, name)
  if (raw.exit_code !== 0)
    return {
      outcome: failure(`exit code ${raw.exit_code ?? raw.signal}${stderr ? `: ${stderr}` : ''}`, {
        retryable: false,
        exit_code: raw.exit_code ?? null,
      }),
    }
  const text = string((raw.stdout ?? '').trim())
  if (text === undefined) return { outcome: {} }
  if (name === 'WorktreeCreate') return { outcome: { updated_output: text } }
  if (TEXT_IS_CONTEXT.has(name)) return { outcome: { additional_context: [text] } }
  return text.startsWith('{') || text.includes('hookSpecificOutput')
    ? {
        outcome: {},
        warnings: [
          'The output is not one JSON object, so Claude Code takes it as plain text and ignores it.',
        ],
      }
    : { outcome: {} }
}

function decodeJson(json: Record<string, unknown>, event: HookEvent, name: string): Decoded {
  const special = json.hookSpecificOutput
  if (special !== undefined && (!isRecord(special) || special.hookEventName !== name))
    return invalid(`hookSpecificOutput.hookEventName must be "${name}"`)
  const permission = record(special).permissionDecision
  if (permission !== undefined && !PERMISSION_DECISIONS.includes(String(permission)))
    return invalid(`permissionDecision must be one of ${PERMISSION_DECISIONS.join(', ')}`)
  if (json.decision !== undefined && !LEGACY_DECISIONS.includes(String(json.decision)))
    return invalid(`decision must be one of ${LEGACY_DECISIONS.join(', ')}`)
  const outcome = readFamilyReply(json, { toCanonicalInput: (input) => canonicalInput(tools, event, input) })
  const members = record(special)
  if (members.action !== undefined)
    outcome.updated_output = { action: members.action, ...given({ content: members.content }) }
  const shown = members.displayContent ?? members.worktreePath
  if (shown !== undefined) outcome.updated_output = shown
  const ignored = ['permissionDecision', 'updatedInput', 'additionalContext'].filter((field) => field in json)
  return ignored.length === 0
    ? { outcome }
    : { outcome, warnings: [`${ignored.join(', ')} must stand inside hookSpecificOutput; ignored.`] }
}

function decodeHttp(raw: RawResult, event: HookEvent, name: string): Decoded {
  const status = raw.status ?? 200
  if (status < 200 || status > 299) return { outcome: failure(`HTTP ${status}`, { retryable: false }) }
  const json = isRecord(raw.value) ? raw.value : wholeJson(raw.stdout)
  return json ? decodeJson(json, event, name) : { outcome: {} }
}

function invalid(message: string): Decoded {
  return { outcome: failure(`invalid reply: ${message}`, { retryable: false }) }
}
