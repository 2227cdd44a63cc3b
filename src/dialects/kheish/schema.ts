/** The settings file as a schema. Unknown fields are let through, as Kheish does; `config.ts` warns of them. */

import * as z from 'zod'
import { EVENT_NAMES, type KheishEvent } from './names.ts'
import { structuralProblem } from './target.ts'

export const SCHEMA_VERSION = 1
export const MAX_TIMEOUT_MS = 30_000
export const MAX_RETRIES = 3

const text = (what: string) =>
  z.string(`${what} must be a string`).refine((value) => value.trim() !== '', `${what} must not be empty`)

const timeout = z
  .int('timeout_ms must be a whole number of milliseconds')
  .min(1, 'timeout_ms must be greater than zero')
  .max(MAX_TIMEOUT_MS, `timeout_ms must not exceed ${MAX_TIMEOUT_MS}`)
  .nullish()

const model = z
  .looseObject({
    provider: z.string('provider must be a string').nullish(),
    generation: z.record(z.string(), z.unknown(), 'generation must be an object').nullish(),
  })
  .nullish()

const names = (what: string) => z.array(z.string(`${what} must hold tool names`), `${what} must be a list`)

const toolSurface = z
  .looseObject({ allowlist: names('allowlist').default([]), denylist: names('denylist').default([]) })
  .refine(
    ({ allowlist }) => allowlist.some((name) => name.trim() !== ''),
    'tool_surface must include an allowlist',
  )
  .nullish()

const executor = z.discriminatedUnion(
  'type',
  [
    z.looseObject({
      type: z.literal('command'),
      command: text('command'),
      shell: text('shell').nullish(),
      timeout_ms: timeout,
    }),
    z.looseObject({
      type: z.literal('http'),
      url: z.string('url must be a string').superRefine((url, context) => {
        const problem = structuralProblem(url)
        if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
      }),
      timeout_ms: timeout,
    }),
    z.looseObject({
      type: z.literal('prompt'),
      template: text('template'),
      system_prompt: z.string('system_prompt must be a string').nullish(),
      model,
      timeout_ms: timeout,
    }),
    z.looseObject({
      type: z.literal('agent'),
      template: text('template'),
      system_prompt: z.string('system_prompt must be a string').nullish(),
      model,
      tool_surface: toolSurface,
      max_turns: z
        .int('max_turns must be a whole number')
        .min(1, 'max_turns must be greater than zero')
        .nullish(),
      timeout_ms: timeout,
    }),
    z.looseObject({ type: z.literal('callback'), name: text('callback name'), timeout_ms: timeout }),
  ],
  'executor must be an object whose type is command, http, prompt, agent or callback',
)

const failurePolicy = z.looseObject(
  {
    mode: z.enum(['open', 'closed'], 'mode must be "open" or "closed"').default('open'),
    max_retries: z
      .int('max_retries must be a whole number')
      .min(0, 'max_retries must not be negative')
      .max(MAX_RETRIES, `max_retries must not exceed ${MAX_RETRIES}`)
      .default(0),
  },
  'failure_policy must be an object',
)

export const definitionSchema = z.looseObject(
  {
    name: text('name'),
    matcher: z.string('matcher must be one glob, a string').nullish(),
    failure_policy: failurePolicy.default({ mode: 'open', max_retries: 0 }),
    executor,
  },
  'a hook must be an object with name and executor',
)

export const settingsSchema = z.looseObject(
  {
    schema_version: z.literal(SCHEMA_VERSION).optional(),
    hooks: z
      .partialRecord(z.enum(EVENT_NAMES), z.array(definitionSchema, 'an event must hold a list of hooks'), {
        error: 'hooks must be an object from event names to lists of hooks',
      })
      .default({}),
  },
  'hook settings must be a JSON object',
)

export type Definition = z.infer<typeof definitionSchema>
export type ExecutorSettings = Definition['executor']
export interface Settings {
  hooks: Partial<Record<KheishEvent, Definition[]>>
}

/** A definition with its event and its place there. */
export type Placed = [KheishEvent, Definition, number]

/** In the order of the file. */
export function definitions({ hooks }: Settings): Placed[] {
  const events = Object.entries(hooks) as [KheishEvent, Definition[]][]
  return events.flatMap(([event, list]) =>
    list.map((definition, index): Placed => [event, definition, index]),
  )
}

/** Fields that mean something, by place; those of an executor by its type. */
export const KNOWN_FIELDS: Readonly<Record<string, readonly string[]>> = {
  definition: Object.keys(definitionSchema.shape),
  failure_policy: Object.keys(failurePolicy.shape),
  ...Object.fromEntries(
    executor.options.map((option) => [option.shape.type.value, Object.keys(option.shape)]),
  ),
}
