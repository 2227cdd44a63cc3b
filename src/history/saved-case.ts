/** A past call as a case for `cases.yaml`: what a hook is expected to say from now on. */

import { redactClipped, redactDeep } from '../redact/redact.ts'
import type { Decision } from '../spec/outcome.ts'
import type { PastCall } from './call.ts'

export interface SavedCase {
  name: string
  event: string
  tool_name: string
  tool_input: unknown
  agent?: string
  expect: { decision: Decision }
}

/** Of one text, in characters. */
const MAX_TEXT_CHARS = 2000
const MAX_NAME_CHARS = 80

const VERBS: Record<Decision, string> = { deny: 'blocks', ask: 'asks about', allow: 'allows' }

/** Null when a case would contain less than the call: truncated, or unknown. */
export function savedCase(call: PastCall, decision: Decision, summary: string): SavedCase | null {
  const { event, lacks } = call
  if (lacks.length > 0 || call.isBare) return null
  const { tool_name, tool_input, agent, event_type } = event
  return {
    name: `${VERBS[decision]} ${redactClipped(summary.replaceAll(/\s+/g, ' '), MAX_NAME_CHARS)}`,
    event: event_type,
    tool_name: String(tool_name ?? ''),
    tool_input: redactDeep(clipped(tool_input)),
    ...(agent === undefined ? {} : { agent }),
    expect: { decision },
  }
}

function clipped(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > MAX_TEXT_CHARS ? redactClipped(value, MAX_TEXT_CHARS) : value
  if (Array.isArray(value)) return value.slice(0, 100).map(clipped)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, clipped(each)]))
}

/** A line of `cases.yaml`: JSON is YAML, too. */
export function caseLine(saved: SavedCase): string {
  return `- ${JSON.stringify(saved)}\n`
}
