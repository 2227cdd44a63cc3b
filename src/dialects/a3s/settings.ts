/** The `hooks` block of A3S: limits and defaults for all hooks that are registered. */

import { didYouMean } from '../../spec/nearest.ts'
import { isObject } from './tools.ts'

export const AUDIT_LEVELS = ['off', 'info', 'verbose'] as const
export type AuditLevel = (typeof AUDIT_LEVELS)[number]

export const FAIL_BEHAVIORS = ['continue', 'block'] as const
export type FailBehavior = (typeof FAIL_BEHAVIORS)[number]

export interface Settings {
  enabled: boolean
  maxHooksPerEvent: number
  maxTotalHooks: number
  defaultTimeout: number
  failBehavior: FailBehavior
  auditLevel: AuditLevel
}

export const DEFAULT_SETTINGS: Settings = {
  enabled: true,
  maxHooksPerEvent: 10,
  maxTotalHooks: 50,
  defaultTimeout: 5000,
  failBehavior: 'continue',
  auditLevel: 'info',
}

/** Something wrong in what a person wrote, at a field. */
export interface Complaint {
  level: 'error' | 'warning'
  field: string
  message: string
  fix: string
}

/** What is wrong keeps its default. */
export function checkSettings(block: unknown): { settings: Settings; complaints: Complaint[] } {
  const settings = { ...DEFAULT_SETTINGS }
  const complaints: Complaint[] = []
  if (!isObject(block)) {
    const complaint = {
      field: 'hooks',
      message: '`hooks` is not an object',
      fix: 'Write "hooks": {"enabled": true}.',
    }
    return { settings, complaints: [{ level: 'error', ...complaint }] }
  }
  for (const [field, value] of Object.entries(block)) {
    const rule = Object.hasOwn(RULES, field) ? RULES[field as keyof Settings] : undefined
    if (!rule) {
      const message = `unknown setting \`${field}\`.${didYouMean(field, Object.keys(RULES))}`
      complaints.push({
        level: 'warning',
        field,
        message,
        fix: `Settings: ${Object.keys(RULES).join(', ')}.`,
      })
    } else if (!rule.fits(value)) {
      const message = `\`${field}\` is ${JSON.stringify(value)}`
      complaints.push({ level: 'error', field, message, fix: `It must be ${rule.words}.` })
    } else Object.assign(settings, { [field]: value })
  }
  return { settings, complaints }
}

interface Rule {
  fits(value: unknown): boolean
  words: string
}

const RULES: Readonly<Record<keyof Settings, Rule>> = {
  enabled: { fits: (value) => typeof value === 'boolean', words: 'true or false' },
  maxHooksPerEvent: wholeNumber(0),
  maxTotalHooks: wholeNumber(0),
  defaultTimeout: wholeNumber(1),
  failBehavior: oneOf(FAIL_BEHAVIORS),
  auditLevel: oneOf(AUDIT_LEVELS),
}

function wholeNumber(least: number): Rule {
  return {
    fits: (value) => typeof value === 'number' && Number.isInteger(value) && value >= least,
    words: `a whole number of at least ${least}`,
  }
}

function oneOf(words: readonly string[]): Rule {
  return {
    fits: (value) => words.includes(value as string),
    words: words.map((word) => `"${word}"`).join(' or '),
  }
}
