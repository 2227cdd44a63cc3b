/** The fields that hooks of all three file forms have in common, checked one by one. */

import type { Hook } from '../../spec/hook.ts'
import { HOOK_DEFAULTS } from '../../spec/hook.ts'
import { didYouMean } from '../../spec/nearest.ts'
import { ID } from './events.ts'
import { type Reading, report } from './file-reader.ts'

const DEFAULT_OUTPUT_BYTES = 10_240
/** The longest time a timer can count. */
const MAX_TIMEOUT_MS = 2_147_483_647

export interface Entry {
  reading: Reading
  fields: Record<string, unknown>
  path: readonly (string | number)[]
  name: string
  /** False once something was wrong with it. */
  valid: boolean
}

export function complain(entry: Entry, field: string | undefined, message: string, fix: string): void {
  entry.valid = false
  report(
    entry.reading,
    { path: field === undefined ? entry.path : [...entry.path, field], hook: entry.name },
    message,
    fix,
  )
}

export function warn(entry: Entry, field: string, message: string, fix: string): void {
  report(entry.reading, { path: [...entry.path, field], hook: entry.name, level: 'warning' }, message, fix)
}

export function commandOf(entry: Entry, fields = entry.fields): string {
  const { command } = fields
  if (typeof command === 'string' && command.trim() !== '') return command
  complain(
    entry,
    'command',
    '`command` is missing or not a text',
    'Give the shell command to run: "command": "…".',
  )
  return ''
}

export function matcherOf(entry: Entry): string | undefined {
  const { matcher } = entry.fields
  if (matcher === undefined || matcher === null) return undefined
  if (typeof matcher === 'string') return matcher
  complain(
    entry,
    'matcher',
    '`matcher` is not a text',
    'Write a tool name such as "fs_write", "fs_*" or "@server".',
  )
  return undefined
}

export function booleanOf(entry: Entry, field: string, otherwise: boolean): boolean {
  const value = entry.fields[field]
  if (value === undefined || value === null) return otherwise
  if (typeof value === 'boolean') return value
  complain(entry, field, `\`${field}\` is neither true nor false`, `Write "${field}": true or false.`)
  return otherwise
}

/** A whole number of at least `least`. */
export function numberOf(entry: Entry, field: string, least: number, otherwise: number): number {
  const value = entry.fields[field]
  if (value === undefined || value === null) return otherwise
  if (typeof value === 'number' && Number.isInteger(value) && value >= least) return value
  complain(
    entry,
    field,
    `\`${field}\` is ${JSON.stringify(value)}, not a whole number of at least ${least}`,
    `Write a number, or leave it out for ${otherwise}.`,
  )
  return otherwise
}

export function warnOfUnknown(entry: Entry, known: readonly string[]): void {
  for (const field of Object.keys(entry.fields))
    if (!known.includes(field))
      warn(
        entry,
        field,
        `unknown field \`${field}\`.${didYouMean(field, known)}`,
        `Fields: ${known.join(', ')}.`,
      )
}

/** Time limit, output limit and cache of an agent file's or a context file's hook. */
export function limitsOf(entry: Entry, cached: boolean): Pick<Hook, 'timeout' | 'output_limit' | 'cache'> {
  const timeout = numberOf(entry, 'timeout_ms', 1, HOOK_DEFAULTS.timeout)
  const seconds = numberOf(entry, 'cache_ttl_seconds', 0, 0)
  return {
    timeout: Math.min(timeout, MAX_TIMEOUT_MS),
    output_limit: numberOf(entry, 'max_output_size', 1, DEFAULT_OUTPUT_BYTES),
    ...(seconds > 0 && cached ? { cache: { seconds, key: 'input' as const } } : {}),
  }
}

/** What every hook of this format is, whatever file it stands in. */
export function baseHook(entry: Entry): Omit<Hook, 'events' | 'run'> {
  const { source, document } = entry.reading
  return {
    ...HOOK_DEFAULTS,
    name: entry.name,
    format: ID,
    scope: source.scope,
    mode: 'concurrent',
    output_limit: DEFAULT_OUTPUT_BYTES,
    on_overflow: 'truncate',
    origin: { file: source.path, line: document.line(entry.path) },
  }
}

export function bash(command: string): Hook['run'] {
  return { type: 'command', command, shell: 'bash', args: ['-c'] }
}
