/** The fields of a HOOK.md: those of the specification, and ours. The JSON Schema is made from this. */

import * as z from 'zod'
import { EFFECTS, type EffectRows } from '../../spec/effects.ts'
import { EVENT_NAMES } from '../../spec/event.ts'
import { MATCHER_FIELDS, type MatcherRows } from '../../spec/matcher.ts'
import type { Schema } from '../../spec/schema.ts'

const text = z.string()
const texts = z.union([text.transform((one) => [one]), z.array(text)])
const object = z.record(z.string(), z.unknown())

const model = z
  .union([
    text.transform((name) => ({ name })),
    z.strictObject({
      provider: text.optional(),
      name: text.optional(),
      generation: object.optional(),
      max_output_tokens: z.int().min(1).optional(),
      max_cost_usd: z.number().positive().optional(),
    }),
  ])
  .describe('The model to ask: its name, or provider, name and limits.')

/** A length in Unicode code points, as JSON Schema counts: 64 ideographs are as long as 64 letters. */
function characters(minLength: number, maxLength: number, description: string) {
  return z
    .string()
    .check((context) => {
      const count = [...context.value].length
      if (count >= minLength && count <= maxLength) return
      context.issues.push({
        code: 'custom',
        input: context.value,
        message: `must have ${minLength} to ${maxLength} characters, and has ${count}`,
      })
    })
    .meta({ description, minLength, maxLength })
}

export function matcherSchema(rows: MatcherRows = MATCHER_FIELDS) {
  return z
    .strictObject(conditionsIn('matcher.', rows))
    .describe('Which calls the hook is for. Every given condition must hold.')
}

/** The fields of the matcher table that a HOOK.md writes below `prefix`, by the name that it gives them. */
function conditionsIn(
  prefix: string,
  rows: MatcherRows = MATCHER_FIELDS,
  isNested = false,
): Record<string, z.ZodType> {
  const found: Record<string, z.ZodType> = {}
  for (const { written, schema, about } of Object.values(rows)) {
    if (!written?.startsWith(prefix)) continue
    const name = written.slice(prefix.length)
    if (name.includes('.')) continue
    if (!('nested' in schema)) found[name] = oneOrMany(schema).optional().describe(about)
    // Matchers are nested one level deep only.
    else if (!isNested)
      found[name] = nestedSchema(schema.nested, z.strictObject(conditionsIn(prefix, rows, true)))
        .optional()
        .describe(about)
  }
  return found
}

function nestedSchema(kind: 'matcher' | 'matchers', matcher: z.ZodType): z.ZodType {
  return kind === 'matcher' ? matcher : z.array(matcher).min(1)
}

/** Where a list is wanted, a single item may stand for a list of one. */
function oneOrMany(schema: Schema): z.ZodType {
  if (schema.type !== 'array') return parser(schema)
  return z.union([parser(schema.items).transform((one) => [one]), parser(schema)])
}

function parser(schema: Schema): z.ZodType {
  // The cast only removes `readonly` of our tables.
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
}

/** The table of effects as fields of a mapping. */
export function outcomeSchema(rows: EffectRows = EFFECTS) {
  const fields: Record<string, z.ZodType> = {}
  for (const [field, { schema, about }] of Object.entries(rows))
    fields[field] = oneOrMany(schema).optional().describe(about)
  return z.strictObject(fields).describe('A fixed answer instead of a script.')
}

const prompt = { template: z.string().min(1), system_prompt: text.optional(), model: model.optional() }

export const runSchema = z
  .strictObject({
    command: z.string().min(1).optional().describe('A line for bash.'),
    http: z
      .strictObject({ url: z.string().min(1), headers: z.record(z.string(), text).optional() })
      .optional()
      .describe('The event is posted there; the answer is an outcome.'),
    prompt: z.strictObject(prompt).optional().describe('A question to a model.'),
    agent: z
      .strictObject({
        ...prompt,
        tools: z.array(text).optional(),
        max_turns: z.int().min(1).max(100).optional(),
      })
      .optional()
      .describe('A model with tools.'),
    module: z
      .string()
      .min(1)
      .optional()
      .describe('A JavaScript or TypeScript file in the folder of the hook.'),
  })
  .describe('What to run instead of scripts/run: exactly one of these.')

export const sandboxSchema = z
  .union([
    z.boolean(),
    z.strictObject({
      read: z
        .array(text)
        .optional()
        .describe('Further paths that it may read; `project`, `home` and `temp` are words for folders.'),
      write: z.array(text).optional().describe('Further paths that it may write to.'),
      connect: z
        .array(text)
        .optional()
        .describe('`"*"`: the network. `"unix:PATH"`: that socket. Without it, nothing.'),
      net: z.array(text).optional().describe('The older name of `connect`.'),
      env: z
        .array(text)
        .optional()
        .describe('Variables of the environment that it gets beside the documented ones.'),
      memory_mb: z
        .int()
        .min(16)
        .optional()
        .describe('Megabytes that each of its processes may use. Default 4096.'),
    }),
  ])
  .describe(
    'Run the script confined. true: it reads the system, its own folder and the files that the event names, writes its state folder, and reaches nothing. Or what it needs beyond that.',
  )

export const frontmatterSchema = z
  .looseObject({
    name: characters(1, 64, 'Identifier of the hook.'),
    description: characters(1, 1024, 'What the hook is for.'),
    trigger: z.string().meta({
      description: 'The event, such as before_tool, or agent/Event for an event of one agent.',
      examples: EVENT_NAMES,
    }),
    matcher: matcherSchema().optional(),
    timeout: z.int().min(100).max(600_000).optional().describe('Time limit in milliseconds. Default 30000.'),
    async: z.boolean().optional().describe('Do not wait for it; it can then change nothing. Default false.'),
    priority: z.int().min(0).max(1000).optional().describe('Higher runs first. Default 100.'),
    metadata: object.optional().describe('Carried along; never changes what runs.'),
    run: runSchema.optional(),
    outcome: outcomeSchema().optional(),
    enabled: z.boolean().optional().describe('False switches the hook off. Default true.'),
    mode: z
      .enum(['enforce', 'shadow'])
      .optional()
      .describe('shadow: it runs, what it would have decided is in the journal, and the operation goes on.'),
    on_failure: z
      .enum(['open', 'closed'])
      .optional()
      .describe('When the hook itself fails: open lets the operation go on (default), closed blocks it.'),
    retries: z.int().min(0).max(3).optional().describe('How often to try again, inside the time limit.'),
    ...conditionsIn(''),
    cache: z
      .int()
      .min(1)
      .max(31_536_000)
      .optional()
      .describe('Seconds for which an answer may be used again for the same event and input.'),
    after: texts.optional().describe('Names of the hooks that must run first.'),
    approvers: texts
      .optional()
      .describe(
        'Names of those who may answer when it asks: approvers of the settings; `local` is the person at this machine.',
      ),
    approvals: z
      .int()
      .min(1)
      .max(10)
      .optional()
      .describe('How many different people must say yes when it asks. Default 1.'),
    sandbox: sandboxSchema.optional(),
    facts: z
      .boolean()
      .optional()
      .describe(
        "Adds what the agent's transcript says of the session: `model`, `usage` of the last request, `context.recent_tools`. A `when` that names one of them does the same. Default false.",
      ),
    replaceable: z
      .boolean()
      .optional()
      .describe(
        'false: a project hook of the same name runs beside this one and does not take its place. Default true.',
      ),
  })
  .describe('The frontmatter of a HOOK.md.')

/** The names that an object of the frontmatter knows: `fieldsAt(['matcher'])`. */
export function fieldsAt(path: readonly PropertyKey[]): string[] {
  let schema: unknown = frontmatterSchema
  for (const key of path) {
    const field = schema instanceof z.ZodObject ? schema.shape[key as string] : undefined
    schema = field instanceof z.ZodOptional ? field.unwrap() : field
  }
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

export type FrontmatterFields = z.output<typeof frontmatterSchema>
