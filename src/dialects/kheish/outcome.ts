/** The text a hook answers with → Kheish's outcome. Whatever is malformed is a failure that no retry can fix. */

import { messageOf } from '../../spec/errors.ts'
import { parseJson } from '../../spec/json.ts'
import type { PermissionUpdate } from '../../spec/outcome.ts'
import { CONTRACT_VERSION } from './events.ts'

export interface KheishOutcome {
  continue_execution: boolean
  stop_reason?: string
  decision?: 'approve' | 'block'
  permission?: 'allow' | 'deny' | 'ask'
  updated_input?: Record<string, unknown>
  updated_output?: unknown
  updated_permissions: PermissionUpdate[]
  additional_contexts: string[]
  initial_user_message?: string
  watch_paths: string[]
  retry: boolean
}

export class MalformedOutcome extends Error {}

/** An empty answer: go on. */
const DEFAULT: KheishOutcome = {
  continue_execution: true,
  updated_permissions: [],
  additional_contexts: [],
  watch_paths: [],
  retry: false,
}

/** Whole JSON, else what a fence holds, else the first balanced object. */
export function parseOutcomeText(text: string): KheishOutcome {
  const trimmed = text.trim()
  if (trimmed === '') return DEFAULT
  const whole = parse(trimmed)
  if (!(whole instanceof Error)) return parseOutcome(whole)
  const fenced = /^```(?:json)?([\s\S]*)```$/.exec(trimmed)?.[1]?.trim() ?? trimmed
  const candidate = balanced(fenced, '{', '}')
  const part = candidate === undefined ? whole : parse(candidate)
  if (part instanceof Error) throw new MalformedOutcome('malformed hook outcome: it is not JSON')
  return parseOutcome(part)
}

export function parseOutcome(value: unknown): KheishOutcome {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MalformedOutcome('malformed hook outcome: expected a JSON object')
  const fields = value as Record<string, unknown>
  checkVersion(fields)
  return {
    continue_execution: boolean(fields, 'continue_execution', true),
    ...optional('stop_reason', string(fields, 'stop_reason')),
    ...optional('decision', oneOf(fields, 'decision', ['approve', 'block'] as const)),
    ...optional('permission', oneOf(fields, 'permission', ['allow', 'deny', 'ask'] as const)),
    ...optional('updated_input', object(fields, 'updated_input')),
    ...optional('updated_output', fields.updated_output ?? undefined),
    updated_permissions: list(fields, 'updated_permissions').map(permissionUpdate),
    additional_contexts: list(fields, 'additional_contexts').map(text('additional_contexts')),
    ...optional('initial_user_message', string(fields, 'initial_user_message')),
    watch_paths: list(fields, 'watch_paths').map(text('watch_paths')),
    retry: boolean(fields, 'retry', false),
  }
}

/** A later contract is refused rather than misread. */
function checkVersion(fields: Record<string, unknown>): void {
  const version = fields.contract_version
  if (version === undefined) return
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 0)
    throw new MalformedOutcome('malformed hook outcome contract_version')
  if (version > CONTRACT_VERSION)
    throw new MalformedOutcome(`unsupported hook outcome contract_version ${version}`)
}

function permissionUpdate(value: unknown): PermissionUpdate {
  if (typeof value !== 'object' || value === null) wrong('updated_permissions', 'a list of objects', value)
  const fields = value as Record<string, unknown>
  const scope = oneOf(fields, 'scope', ['user', 'project', 'session'] as const)
  const pattern = string(fields, 'tool_name_pattern')
  const behavior = oneOf(fields, 'behavior', ['allow', 'deny', 'ask'] as const)
  if (scope === undefined || pattern === undefined || behavior === undefined)
    return wrong('updated_permissions', 'entries with scope, tool_name_pattern and behavior', value)
  return { scope, tool_name_pattern: pattern, behavior, ...optional('reason', string(fields, 'reason')) }
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    return error instanceof Error ? error : new Error(messageOf(error))
  }
}

function balanced(text: string, open: string, close: string): string | undefined {
  const start = text.indexOf(open)
  if (start < 0) return undefined
  let depth = 0
  let quoted = false
  for (let i = start; i < text.length; i++) {
    const char = text[i]
    if (quoted) {
      if (char === '\\') i++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === open) depth++
    else if (char === close && --depth === 0) return text.slice(start, i + 1)
  }
  return undefined
}

function wrong(field: string, expected: string, value: unknown): never {
  throw new MalformedOutcome(`malformed hook outcome: ${field} must be ${expected}, not ${shown(value)}`)
}

/** Only short words: a piece of a longer text might be a piece of a secret. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'string' && !/^[\w -]{0,20}$/.test(value)) return 'another text'
  return JSON.stringify(value) ?? String(value)
}

function boolean(fields: Record<string, unknown>, name: string, fallback: boolean): boolean {
  const value = fields[name]
  if (value === undefined) return fallback
  return typeof value === 'boolean' ? value : wrong(name, 'true or false', value)
}

function string(fields: Record<string, unknown>, name: string): string | undefined {
  const value = fields[name] ?? undefined
  return value === undefined || typeof value === 'string' ? value : wrong(name, 'a string', value)
}

function object(fields: Record<string, unknown>, name: string): Record<string, unknown> | undefined {
  const value = fields[name] ?? undefined
  if (value === undefined) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) return wrong(name, 'an object', value)
  return value as Record<string, unknown>
}

function oneOf<T extends string>(
  fields: Record<string, unknown>,
  name: string,
  words: readonly T[],
): T | undefined {
  const value = fields[name] ?? undefined
  if (value === undefined) return undefined
  const found = words.find((word) => word === value)
  return found ?? wrong(name, words.map((word) => `"${word}"`).join(' or '), value)
}

function list(fields: Record<string, unknown>, name: string): unknown[] {
  const value = fields[name]
  if (value === undefined) return []
  return Array.isArray(value) ? value : wrong(name, 'a list', value)
}

function text(name: string): (value: unknown) => string {
  return (value) => (typeof value === 'string' ? value : wrong(name, 'a list of strings', value))
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V })
}
