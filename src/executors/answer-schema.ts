/** The answer that a model is asked for, unless the hook's format says otherwise. */

import { EFFECTS, type EffectRows } from '../spec/effects.ts'

export function askedSchema(rows: EffectRows): Readonly<Record<string, unknown>> {
  const asked = Object.entries(rows).flatMap(([field, { schema, asked: description }]) =>
    description === null ? [] : [[field, { ...schema, description }] as const],
  )
  return { type: 'object', properties: Object.fromEntries(asked), required: [] }
}

export const OUTCOME_SCHEMA = askedSchema(EFFECTS)
