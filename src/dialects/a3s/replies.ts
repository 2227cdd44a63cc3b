/** What an A3S handler answered (`{action: …}`) → an outcome. */

import type { Decoded } from '../../spec/dialect.ts'
import { eventRow, type HookEvent } from '../../spec/event.ts'
import type { RawResult } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import { parseJson } from '../../spec/json.ts'
import { failure, type Outcome } from '../../spec/outcome.ts'
import { TOOLS, toCanonicalTool, toNativeTool } from '../../spec/tool.ts'
import { isObject, TOOL_TABLE } from './tools.ts'

const DEFAULT_RETRY_MS = 1000
const MAX_RETRY_MS = 60_000
const DEFAULT_REASON = 'Blocked by hook'
const ACTIONS = ['continue', 'block', 'retry', 'skip']

export function decode(raw: RawResult, event: HookEvent, hook: Hook): Decoded {
  if (typeof raw.exit_code === 'number' || raw.signal) return decodeCommand(raw, event, hook)
  return decodeResponse(raw.value, event, hook)
}

function decodeResponse(response: unknown, event: HookEvent, hook: Hook): Decoded {
  if (response === undefined || response === null) return { outcome: {} }
  if (!isObject(response)) return wrong(`answered with ${describe(response)}, not with an object`)
  const action = typeof response.action === 'string' ? response.action.toLowerCase() : undefined
  const reason = response.reason ?? undefined
  if (action === undefined) return wrong('answered without an action')
  if (!ACTIONS.includes(action))
    return wrong(`answered with the unknown action ${describe(response.action).replace('the text ', '')}`)
  if (reason !== undefined && typeof reason !== 'string')
    return wrong('answered with a reason that is not a text')
  if (action === 'block') return { outcome: { decision: 'deny', reason: reason || DEFAULT_REASON } }
  if (action === 'skip') return { outcome: response.scope === 'hook' ? {} : { skip: true } }
  // By the A3S document, answers of this event's hooks are not waited for.
  const unheard = hook.native_event === 'PostToolUse'
  if (action === 'retry') return unheard ? ignored('retry') : retry(response, reason)
  const { modified } = response
  if (modified === undefined || modified === null) return { outcome: {} }
  return unheard ? ignored('modified data') : decodeModified(modified, event)
}

/** A program answers in the same words on stdout; exit 2 is a block. */
function decodeCommand(raw: RawResult, event: HookEvent, hook: Hook): Decoded {
  const stderr = (raw.stderr ?? '').trim()
  const stdout = (raw.stdout ?? '').trim()
  if (raw.exit_code === 2) return { outcome: { decision: 'deny', reason: stderr || DEFAULT_REASON } }
  if (raw.exit_code !== 0) {
    const how = raw.signal ? `was ended by ${raw.signal}` : `exited with code ${raw.exit_code}`
    return wrong(`${how}${stderr && `: ${stderr}`}`, raw.exit_code ?? null)
  }
  if (stdout === '') return { outcome: {} }
  let response: unknown
  try {
    response = parseJson(stdout)
  } catch {
    return wrong('printed something that is not JSON')
  }
  return decodeResponse(response, event, hook)
}

function retry(response: Record<string, unknown>, reason: string | undefined): Decoded {
  const delay = response.delay ?? response.delayMs ?? response.delay_ms ?? DEFAULT_RETRY_MS
  if (typeof delay !== 'number' || !Number.isFinite(delay) || delay < 0)
    return wrong(`answered with the delay ${describe(delay)}, which is no time in milliseconds`)
  const outcome: Outcome = { retry: Math.min(delay, MAX_RETRY_MS) }
  return { outcome: reason ? { ...outcome, reason } : outcome }
}

function decodeModified(modified: unknown, event: HookEvent): Decoded {
  if (!isObject(modified))
    return wrong(`answered with modified data that is ${describe(modified)}, not an object`)
  if (eventRow(event.event_type).tool) return modifiedCall(modified, event)
  if (event.event_type === 'before_model') return modifiedPrompt(modified)
  if (event.event_type !== 'after_model') return ignored('modified data')
  const { response, ...rest } = modified
  return { outcome: response === undefined ? {} : { updated_output: response }, ...unknownFields(rest) }
}

function modifiedCall(modified: Record<string, unknown>, event: HookEvent): Decoded {
  const { args, ...rest } = modified
  if (args === undefined) return { outcome: {}, ...unknownFields(rest) }
  if (!isObject(args)) return wrong(`answered with modified args that are ${describe(args)}, not an object`)
  return { outcome: { updated_input: canonicalInput(String(event.tool_name), args) }, ...unknownFields(rest) }
}

function modifiedPrompt(modified: Record<string, unknown>): Decoded {
  const { prompt, systemPrompt, system_prompt = systemPrompt, model, tools, ...rest } = modified
  for (const [name, value] of Object.entries({ prompt, systemPrompt: system_prompt }))
    if (value !== undefined && typeof value !== 'string')
      return wrong(`answered with a modified ${name} that is ${describe(value)}, not a text`)
  const named = Array.isArray(tools) ? tools.map(canonicalName) : tools
  const fields = Object.entries({ prompt, system_prompt, model, tools: named }).filter(
    ([, value]) => value !== undefined,
  )
  const outcome: Outcome = fields.length === 0 ? {} : { updated_input: Object.fromEntries(fields) }
  return { outcome, ...unknownFields(rest) }
}

function canonicalName(tool: unknown): unknown {
  return typeof tool === 'string' ? toCanonicalTool(TOOL_TABLE, tool, {}).name : tool
}

/** The input in the terms of the event: canonical when it names a canonical tool. */
function canonicalInput(toolName: string, args: Record<string, unknown>): Record<string, unknown> {
  if (!Object.hasOwn(TOOLS, toolName)) return args
  return toCanonicalTool(TOOL_TABLE, toNativeTool(TOOL_TABLE, toolName, {}).name, args).input
}

function unknownFields(rest: Record<string, unknown>): { warnings?: string[] } {
  const names = Object.keys(rest)
  return names.length === 0
    ? {}
    : { warnings: [`modified.${names.join(', modified.')} has no meaning here: ignored`] }
}

function ignored(what: string): Decoded {
  return { outcome: {}, warnings: [`${what} has no meaning on this event: ignored`] }
}

function wrong(message: string, exit_code?: number | null): Decoded {
  const more = exit_code === undefined ? {} : { exit_code }
  return { outcome: failure(`the handler ${message}`, { retryable: false, ...more }) }
}

function describe(value: unknown): string {
  return Array.isArray(value)
    ? 'a list'
    : typeof value === 'string'
      ? // Only short words: a piece of a longer text might be a piece of a secret.
        /^[\w -]{0,40}$/.test(value)
        ? `the text "${value}"`
        : 'a text'
      : String(value)
}
