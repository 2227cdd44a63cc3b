/** Vercel AI SDK: your tools and your model, under hooks. */

import {
  type LanguageModelMiddleware,
  simulateReadableStream,
  type ToolExecutionOptions,
  type ToolSet,
  wrapLanguageModel,
} from 'ai'
import { askModel, type Changes, callTool, type Guard, type Question, withNotes } from './guard.ts'

type Model = Parameters<typeof wrapLanguageModel>[0]['model']
type Wrap = Parameters<NonNullable<LanguageModelMiddleware['wrapStream']>>[0]
type Params = Wrap['params']
type Part = Awaited<ReturnType<Wrap['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never
type Execute = (input: unknown, options: ToolExecutionOptions<unknown>) => unknown

/** The same tools, each call decided by hooks. Tools that run elsewhere (without `execute`) are left as they are. */
export function hookedTools<Tools extends ToolSet>(guard: Guard, tools: Tools): Tools {
  const hooked = Object.entries(tools).map(([name, tool]) => {
    const run = tool.execute as Execute | undefined
    if (!run) return [name, tool]
    const execute: Execute = async (input, options) => {
      const call = { name, input: input as Record<string, unknown>, id: options.toolCallId }
      const result = await callTool(guard, call, async (allowed) => ({
        output: await lastOf(run(allowed, options)),
        failed: false,
      }))
      if (!result.failed) return result.notes.length === 0 ? result.output : withNotes(result)
      throw result.replaced || result.notes.length > 0 ? new Error(withNotes(result)) : result.thrown
    }
    return [name, { ...tool, execute }]
  })
  return Object.fromEntries(hooked) as Tools
}

/** The same model, each question and answer decided by hooks. A refusal rejects the call with `Blocked`. */
export function hookedModel(guard: Guard, model: Model) {
  const middleware: LanguageModelMiddleware = {
    specificationVersion: 'v4',
    async wrapGenerate({ params, model }) {
      const { answer, replacement } = await askModel(
        guard,
        questionOf(params, model.modelId),
        async (changes) => model.doGenerate(changed(params, changes)),
        ({ content }) => content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
      )
      if (replacement === null) return answer
      const others = answer.content.filter(({ type }) => type !== 'text')
      return { ...answer, content: [{ type: 'text', text: replacement }, ...others] }
    },
    // Hooks judge whole answers: where a hook listens, the stream is held back until it is complete.
    async wrapStream({ params, model }) {
      const judged = guard.hooks.list().some(({ events }) => events.includes('after_model'))
      const { answer, replacement } = await askModel(
        guard,
        questionOf(params, model.modelId),
        async (changes) => {
          const { stream, ...rest } = await model.doStream(changed(params, changes))
          return judged ? { ...rest, parts: await Array.fromAsync(stream) } : { ...rest, stream, parts: [] }
        },
        ({ parts }) => parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join(''),
      )
      if ('stream' in answer) return answer
      const chunks = replacement === null ? answer.parts : retold(answer.parts, replacement)
      const stream = simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null })
      return { ...answer, stream }
    },
  }
  return wrapLanguageModel({ model, middleware })
}

function questionOf({ prompt, tools }: Params, model: string): Question {
  const system = prompt.flatMap((message) => (message.role === 'system' ? [message.content] : []))
  const said = prompt.findLast(({ role }) => role === 'user')?.content ?? []
  return {
    model,
    prompt: (typeof said === 'string' ? [] : said)
      .map((part) => (part.type === 'text' ? part.text : ''))
      .join(''),
    ...(system.length > 0 ? { system_prompt: system.join('\n') } : {}),
    tools: tools?.map(({ name }) => name) ?? [],
  }
}

function changed(params: Params, { messages, system_prompt, tools }: Changes): Params {
  const rest = params.prompt.filter(({ role }) => role !== 'system' || system_prompt === undefined)
  const added = messages.map(({ role, text }) => ({ role, content: [{ type: 'text' as const, text }] }))
  return {
    ...params,
    prompt: [
      ...(system_prompt === undefined ? [] : [{ role: 'system' as const, content: system_prompt }]),
      ...rest,
      ...added,
    ],
    ...(tools ? { tools: params.tools?.filter(({ name }) => tools.includes(name)) ?? [] } : {}),
  }
}

/** The parts of a stream with another text in place of the model's. */
function retold(parts: readonly Part[], text: string): Part[] {
  const others = parts.filter(({ type }) => !type.startsWith('text-'))
  const end = others.findIndex(({ type }) => type === 'finish')
  return others.toSpliced(
    end < 0 ? others.length : end,
    0,
    { type: 'text-start', id: 'hooks' },
    { type: 'text-delta', id: 'hooks', delta: text },
    { type: 'text-end', id: 'hooks' },
  )
}

/** A tool may also give its output piece by piece; the last piece is the output. */
async function lastOf(output: unknown): Promise<unknown> {
  const value = await output
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return value
  let last: unknown
  for await (const piece of value as AsyncIterable<unknown>) last = piece
  return last
}
