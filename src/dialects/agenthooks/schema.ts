/** The fields of a HOOK.md: those of the specification, and ours. The JSON Schema is made from this. */

import { z } from 'zod'
import { EVENT_NAMES } from '../../spec/event.ts'

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

export const matcherSchema = z
  .looseObject({
    tool: text.optional().describe('Pattern searched in the name of the tool.'),
    pattern: text.optional().describe('Pattern searched in each value of the input of the tool.'),
    path: text.optional().describe('Glob over each path that the tool touches.'),
    command: text
      .optional()
      .describe('Pattern tried on every simple command of a shell line, after the line was parsed.'),
    agent: texts.optional().describe('The agents that this hook is for: one id, or several.'),
  })
  .describe('Which calls the hook is for. Every given condition must hold.')

export const outcomeSchema = z
  .strictObject({
    decision: z.enum(['allow', 'ask', 'deny']).optional(),
    reason: text.optional().describe('Told to the model, and to the person when it blocks.'),
    user_message: text.optional().describe('Told to the person.'),
    updated_input: object.optional().describe('Takes the place of the input of the tool.'),
    updated_output: z.unknown().optional().describe('Takes the place of the output of the tool.'),
    additional_context: texts.optional().describe('Told to the model.'),
    stop: z.string().min(1).optional().describe('End the turn, and why.'),
    retry: z.number().min(0).optional().describe('Try again after so many milliseconds.'),
    skip: z.boolean().optional().describe('Leave out the hooks that have not started.'),
    updated_permissions: z
      .array(
        z.strictObject({
          scope: z.enum(['user', 'project', 'session']),
          tool_name_pattern: text,
          behavior: z.enum(['allow', 'ask', 'deny']),
          reason: text.optional(),
        }),
      )
      .optional(),
    initial_user_message: text.optional(),
    watch_paths: z.array(text).optional(),
    data: object.optional().describe('Passed on to hooks that come after this one.'),
    log: text.optional().describe('For the log only.'),
  })
  .describe('A fixed answer instead of a script.')

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
      read: z.array(text).optional(),
      write: z.array(text).optional(),
      net: z.array(text).optional(),
    }),
  ])
  .describe('Run the script shut in: true, or what it may read, write and reach.')

export const frontmatterSchema = z
  .looseObject({
    name: characters(1, 64, 'Identifier of the hook.'),
    description: characters(1, 1024, 'What the hook is for.'),
    trigger: z.string().meta({
      description: 'The event, such as before_tool, or agent/Event for an event of one agent.',
      examples: EVENT_NAMES,
    }),
    matcher: matcherSchema.optional(),
    timeout: z.int().min(100).max(600_000).optional().describe('Time limit in milliseconds. Default 30000.'),
    async: z.boolean().optional().describe('Do not wait for it; it can then change nothing. Default false.'),
    priority: z.int().min(0).max(1000).optional().describe('Higher runs first. Default 100.'),
    metadata: object.optional().describe('Carried along; never changes what runs.'),
    run: runSchema.optional(),
    outcome: outcomeSchema.optional(),
    on_failure: z
      .enum(['open', 'closed'])
      .optional()
      .describe('When the hook itself fails: open lets the operation go on (default), closed blocks it.'),
    retries: z.int().min(0).max(3).optional().describe('How often to try again, inside the time limit.'),
    when: z.string().min(1).optional().describe('A CEL expression over the event that must hold.'),
    cache: z
      .int()
      .min(1)
      .max(31_536_000)
      .optional()
      .describe('Seconds for which an answer may be used again for the same event and input.'),
    after: texts.optional().describe('Names of the hooks that must run first.'),
    sandbox: sandboxSchema.optional(),
  })
  .describe('The frontmatter of a HOOK.md.')

export type FrontmatterFields = z.output<typeof frontmatterSchema>
