/** A hook definition in either spelling, checked and normalised. */

import { didYouMean } from '../../spec/nearest.ts'
import type { Complaint, FailBehavior } from './settings.ts'
import { FAIL_BEHAVIORS } from './settings.ts'
import { isObject } from './tools.ts'

export interface MatcherDefinition {
  tool?: string
  pathPattern?: string
  commandPattern?: string
  sessionId?: string
  skill?: string
}

export interface ConfigDefinition {
  /** Lower runs first; 100 when it is not given. */
  priority?: number
  /** Milliseconds; 0 counts as unset. */
  timeout?: number
  async?: boolean
  failBehavior?: FailBehavior
  maxRetries?: number
}

/** Both spellings of each field, the one that we keep first. */
const MATCHER_FIELDS = {
  tool: ['tool'],
  pathPattern: ['pathPattern', 'path_pattern'],
  commandPattern: ['commandPattern', 'command_pattern'],
  sessionId: ['sessionId', 'session_id', 'session'],
  skill: ['skill'],
} as const satisfies Record<keyof MatcherDefinition, readonly string[]>

const CONFIG_FIELDS = {
  priority: ['priority'],
  timeout: ['timeout', 'timeoutMs', 'timeout_ms'],
  async: ['async', 'asyncExecution', 'async_execution'],
  failBehavior: ['failBehavior', 'fail_behavior'],
  maxRetries: ['maxRetries', 'max_retries', 'retries'],
} as const satisfies Record<keyof ConfigDefinition, readonly string[]>

const MAX_RETRIES = 3

export function readMatcher(value: unknown, complaints: Complaint[]): MatcherDefinition {
  const fields = collect(value, 'matcher', MATCHER_FIELDS, complaints)
  for (const [name, field] of Object.entries(fields))
    if (typeof field !== 'string' || field === '') {
      complain(
        complaints,
        `matcher.${name}`,
        `\`matcher.${name}\` is not a text`,
        'Write a text, or leave it out.',
      )
      delete fields[name]
    }
  return fields
}

export function readConfig(value: unknown, complaints: Complaint[]): ConfigDefinition {
  const {
    priority,
    timeout,
    async: isAsync,
    failBehavior,
    maxRetries,
  } = collect(value, 'config', CONFIG_FIELDS, complaints)
  const config: ConfigDefinition = {}
  if (isWhole(priority, -(2 ** 31), 2 ** 31 - 1)) config.priority = priority
  else if (priority !== undefined) wrong('priority', priority, 'a whole number; lower runs first')
  if (isWhole(timeout, 0, 2 ** 31 - 1)) config.timeout = timeout
  else if (timeout !== undefined) wrong('timeout', timeout, 'a time in milliseconds')
  if (typeof isAsync === 'boolean') config.async = isAsync
  else if (isAsync !== undefined) wrong('async', isAsync, 'true or false')
  if (FAIL_BEHAVIORS.includes(failBehavior as FailBehavior))
    config.failBehavior = failBehavior as FailBehavior
  else if (failBehavior !== undefined && failBehavior !== '')
    wrong('failBehavior', failBehavior, '"continue" or "block"')
  if (isWhole(maxRetries, 0, MAX_RETRIES)) config.maxRetries = maxRetries
  else if (maxRetries !== undefined) wrong('maxRetries', maxRetries, `a number from 0 to ${MAX_RETRIES}`)
  return config

  function wrong(field: string, found: unknown, words: string): void {
    complain(
      complaints,
      `config.${field}`,
      `\`config.${field}\` is ${JSON.stringify(found)}`,
      `It must be ${words}.`,
    )
  }
}

export function complain(complaints: Complaint[], field: string, message: string, fix: string): void {
  complaints.push({ level: 'error', field, message, fix })
}

/** The given fields under the names that we keep. An empty value is one that was not given. */
function collect(
  value: unknown,
  at: string,
  names: Readonly<Record<string, readonly string[]>>,
  complaints: Complaint[],
): Record<string, unknown> {
  if (value === undefined || value === null) return {}
  if (!isObject(value)) {
    complain(complaints, at, `\`${at}\` is not an object`, `Write {${Object.keys(names).join(', ')}}.`)
    return {}
  }
  const found: Record<string, unknown> = {}
  for (const [field, given] of Object.entries(value)) {
    const kept = Object.keys(names).find((name) => names[name]!.includes(field))
    if (given === undefined || given === null) continue
    if (kept !== undefined) found[kept] = given
    else {
      const message = `\`${at}\` has no field \`${field}\`.${didYouMean(field, Object.values(names).flat())}`
      complain(complaints, `${at}.${field}`, message, `Fields: ${Object.keys(names).join(', ')}.`)
    }
  }
  return found
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}
