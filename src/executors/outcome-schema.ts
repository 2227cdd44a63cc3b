/** What a model is asked to answer with, unless the hook's own format says otherwise. */

import { DECISIONS, type Outcome } from '../spec/outcome.ts'

type Asked = Pick<
  Outcome,
  'decision' | 'reason' | 'user_message' | 'updated_input' | 'updated_output' | 'additional_context' | 'stop'
>

const properties: Readonly<Record<keyof Asked, object>> = {
  decision: {
    type: 'string',
    enum: [...DECISIONS],
    description: 'May the operation go on? Leave it out to say nothing.',
  },
  reason: { type: 'string', description: 'Why, in one sentence, for the agent.' },
  user_message: { type: 'string', description: 'Why, in one sentence, for the person.' },
  updated_input: { type: 'object', description: 'The whole tool input to use instead.' },
  updated_output: { description: 'The tool output to show instead.' },
  additional_context: {
    type: 'array',
    items: { type: 'string' },
    description: 'Facts that the agent should know.',
  },
  stop: { type: 'string', description: 'Only if the agent must stop altogether: why.' },
}

export const OUTCOME_SCHEMA: Readonly<Record<string, unknown>> = { type: 'object', properties, required: [] }
