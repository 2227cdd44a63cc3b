/** Fills in a prompt template. Values are data: their content is never expanded again. */

import { eventRow, type HookEvent } from '../spec/event.ts'
import type { Call } from '../spec/executor.ts'

export const VARIABLES = [
  'event',
  'subject',
  'session_id',
  'agent_id',
  'run_id',
  'payload',
  'invocation_json',
  'tool_name',
  'tool_input',
  'prompt',
] as const

/** One pass; an unknown variable stays as written. */
export function fill(template: string, variables: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{\s*(\w+)\s*\}\}/g, (written, name: string) =>
    Object.hasOwn(variables, name) ? variables[name]! : written,
  )
}

/** Values of the hook's format take precedence over those of every event. */
export function variablesOf({ event, input }: Pick<Call, 'event' | 'input'>): Record<string, string> {
  const values: Record<(typeof VARIABLES)[number], unknown> = {
    event: event.event_type,
    subject: subjectOf(event),
    session_id: event.session_id,
    agent_id: event.context.agent_id,
    run_id: event.context.run_id,
    payload: event,
    invocation_json: input.text,
    tool_name: event.tool_name,
    tool_input: event.tool_input,
    prompt: event.prompt,
  }
  return { ...textsOf(values), ...textsOf(givenBy(input.value, 'variables')) }
}

/** What the hook's format adds to the event: template variables, the schema of the answer. */
export function givenBy(value: unknown, field: 'variables' | 'schema'): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const found = (value as Record<string, unknown>)[field]
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : undefined
}

function subjectOf(event: HookEvent): unknown {
  const field = eventRow(event.event_type).subject
  return field === null ? undefined : event[field]
}

function textsOf(values: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
    ]),
  )
}
