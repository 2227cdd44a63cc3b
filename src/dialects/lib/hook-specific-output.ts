/** The JSON reply that many agents share: `hookSpecificOutput`, `decision`, `continue` and their kin. Light. */

import type { Reply } from '../../spec/dialect.ts'
import { parseJson } from '../../spec/json.ts'
import type { Outcome, PermissionUpdate } from '../../spec/outcome.ts'
import { isRecord, record, string } from './payload.ts'

export interface FamilyReply {
  continue?: false
  stopReason?: string
  systemMessage?: string
  decision?: string
  reason?: string
  hookSpecificOutput?: Record<string, unknown>
}

export const SILENT: Reply = { stdout: '', stderr: '', exit_code: 0 }

/** What a deny says when the hook gave no reason: an empty one makes some agents run the tool. */
export const NO_REASON = 'Blocked by a hook that gave no reason.'

export function reasonOf(outcome: Outcome): string {
  return outcome.reason?.trim() || outcome.stop?.trim() || outcome.user_message?.trim() || NO_REASON
}

/** The texts for the model as one; undefined when there is none. */
export function contextOf(outcome: Outcome): string | undefined {
  return string((outcome.additional_context ?? []).filter((text) => text.trim() !== '').join('\n\n'))
}

/** One JSON object on stdout; silence when it would be empty. */
export function jsonReply(reply: object): Reply {
  const text = JSON.stringify(reply)
  return text === '{}' ? SILENT : { stdout: `${text}\n`, stderr: '', exit_code: 0 }
}

/** The block with exit code 2 and the reason on stderr. */
export function exitReply(reason: string): Reply {
  return { stdout: '', stderr: `${reason.trim() || NO_REASON}\n`, exit_code: 2 }
}

/** An object without the members that are undefined; undefined when none is left. */
export function given<T extends object>(
  members: T,
): { [K in keyof T]: Exclude<T[K], undefined> } | undefined {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return entries.length === 0
    ? undefined
    : (Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> })
}

/** `hookSpecificOutput` with the event's name, when there is anything to put into it. */
export function specific(
  nativeEvent: string,
  members: object,
): { hookSpecificOutput?: Record<string, unknown> } {
  const output = given(members)
  return output ? { hookSpecificOutput: { hookEventName: nativeEvent, ...output } } : {}
}

/** The JSON object that is the whole of a text; undefined for anything else. */
export function wholeJson(text: string | undefined): Record<string, unknown> | undefined {
  const trimmed = (text ?? '').trim()
  if (!trimmed.startsWith('{')) return undefined
  try {
    const value: unknown = parseJson(trimmed)
    return isRecord(value) ? value : undefined
  } catch {
    // Not JSON: what plain text means is for the caller to say.
    return undefined
  }
}

export interface Reading {
  /** A rewritten input in the format's own fields → canonical ones. */
  toCanonicalInput(input: Record<string, unknown>): Record<string, unknown>
}

const DECISIONS: Readonly<Record<string, Outcome['decision']>> = {
  allow: 'allow',
  approve: 'allow',
  ask: 'ask',
  // The caller decides later: nobody may decide for it in the meantime.
  defer: 'ask',
  deny: 'deny',
  block: 'deny',
}

/** Every field of the family that an outcome has a place for. Checks are for the caller, before. */
export function readFamilyReply(json: Record<string, unknown>, reading: Reading): Outcome {
  const special = record(json.hookSpecificOutput)
  const permission = record(special.decision)
  const decision =
    DECISIONS[string(special.permissionDecision) ?? ''] ??
    DECISIONS[string(permission.behavior) ?? ''] ??
    DECISIONS[string(json.decision) ?? '']
  const input = [special.updatedInput, permission.updatedInput].find(isRecord)
  const output = special.updatedToolOutput ?? special.updatedMCPToolOutput
  const context = string(special.additionalContext)
  const outcome = given<Outcome>({
    decision,
    reason: string(special.permissionDecisionReason) ?? string(permission.message) ?? string(json.reason),
    user_message: string(json.systemMessage),
    updated_input: input && reading.toCanonicalInput(input),
    updated_output: output,
    additional_context: context === undefined ? undefined : [context],
    stop: json.continue === false ? (string(json.stopReason) ?? 'Stopped by a hook.') : undefined,
    retry: special.retry === true ? 0 : undefined,
    initial_user_message: string(special.initialUserMessage),
    watch_paths: strings(special.watchPaths),
    updated_permissions: permissionUpdates(permission.updatedPermissions),
  } as Outcome)
  return outcome ?? {}
}

/** `addRules` updates in canonical words; other kinds have none. */
function permissionUpdates(value: unknown): PermissionUpdate[] | undefined {
  if (!Array.isArray(value)) return undefined
  const found: PermissionUpdate[] = []
  for (const update of value.filter(isRecord)) {
    if (update.type !== 'addRules' || !Array.isArray(update.rules)) continue
    for (const rule of update.rules.filter(isRecord)) {
      const tool = string(rule.toolName)
      if (tool === undefined) continue
      const content = string(rule.ruleContent)
      found.push({
        scope: SCOPES[string(update.destination) ?? ''] ?? 'session',
        tool_name_pattern: content === undefined ? tool : `${tool}(${content})`,
        behavior: DECISIONS[string(update.behavior) ?? ''] ?? 'ask',
      })
    }
  }
  return found.length > 0 ? found : undefined
}

const SCOPES: Readonly<Record<string, PermissionUpdate['scope']>> = {
  userSettings: 'user',
  projectSettings: 'project',
  localSettings: 'project',
  session: 'session',
}
const DESTINATIONS: Record<PermissionUpdate['scope'], string> = {
  user: 'userSettings',
  project: 'localSettings',
  session: 'session',
}

/** Canonical permission updates as `addRules`. */
export function printPermissionUpdates(updates: readonly PermissionUpdate[]): Record<string, unknown>[] {
  return updates.map(({ scope, tool_name_pattern, behavior }) => {
    const [, toolName, ruleContent] = /^([^(]+)(?:\((.*)\))?$/s.exec(tool_name_pattern) ?? []
    return {
      type: 'addRules',
      rules: [{ toolName: toolName ?? tool_name_pattern, ...(ruleContent ? { ruleContent } : {}) }],
      behavior,
      destination: DESTINATIONS[scope],
    }
  })
}

function strings(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : undefined
}
