/** OpenAI Agents SDK: tools, models and guardrails that hooks decide. */

import {
  type AgentInputItem,
  type Model,
  type ModelProvider,
  type ModelRequest,
  type ModelResponse,
  type RunConfig,
  type StreamEvent,
  tool,
} from '@openai/agents'
import {
  askModel,
  asText,
  type Changes,
  callTool,
  fire,
  type Guard,
  type Question,
  reasonOf,
  refused,
  withNotes,
} from './guard.ts'

type Execute = (input: unknown, context?: unknown, details?: { toolCall?: { callId: string } }) => unknown
type Output = ModelResponse['output']

/** `tool` of the SDK for tools that run under hooks: `const tool = hookedTool(guard)`. */
export function hookedTool(guard: Guard): typeof tool {
  const make = (options: { name: string; execute: Execute }) => {
    const execute: Execute = async (input, context, details) => {
      const id = details?.toolCall?.callId
      const call = { name: options.name, input: input as Record<string, unknown>, ...(id ? { id } : {}) }
      const result = await callTool(guard, call, async (allowed) => ({
        output: await options.execute(allowed, context, details),
        failed: false,
      }))
      // The SDK's own error text is kept, unless hooks add something.
      if (result.failed && !result.replaced && result.notes.length === 0) throw result.thrown
      return result.notes.length === 0 ? result.output : withNotes(result)
    }
    return tool({ ...options, execute } as Parameters<typeof tool>[0])
  }
  return make as unknown as typeof tool
}

/** For `new Runner(...)`: prompts and final answers pass guardrails, every question to a model passes hooks. */
export function hookedRunner(guard: Guard, models: ModelProvider) {
  return {
    modelProvider: { getModel: async (name) => hookedModel(guard, await models.getModel(name), name ?? '') },
    inputGuardrails: [
      {
        name: 'hooks',
        runInParallel: false,
        async execute({ input }) {
          const before = await fire(guard, 'before_agent', { prompt: lastPrompt(input) })
          guard.remarks.push(...before.additional_context)
          // A guardrail cannot change the prompt, and a rewrite by a hook must not be dropped: refuse.
          const wish = before.updated_input
            ? 'a hook wants another prompt, which a guardrail cannot give'
            : null
          const reason = (await refused(guard, before)) ?? wish
          return { tripwireTriggered: reason !== null, outputInfo: { reason } }
        },
      },
    ],
    outputGuardrails: [
      {
        name: 'hooks',
        async execute({ agentOutput }) {
          const after = await fire(guard, 'after_agent', { response: asText(agentOutput) })
          const rejected = after.decision === 'deny' || after.updated_output !== null
          return { tripwireTriggered: rejected, outputInfo: { reason: rejected ? reasonOf(after) : null } }
        },
      },
    ],
  } satisfies Partial<RunConfig>
}

function hookedModel(guard: Guard, model: Model, name: string): Model {
  return {
    async getResponse(request) {
      const ask = async (changes: Changes) => model.getResponse(changed(request, changes))
      const question = questionOf(request, name)
      const { answer, replacement } = await askModel(guard, question, ask, ({ output }) => textOf(output))
      return replacement === null ? answer : { ...answer, output: retold(answer.output, replacement) }
    },
    // Hooks judge whole answers, so a stream is held back until it is complete.
    async *getStreamedResponse(request) {
      const ask = (changes: Changes) => Array.fromAsync(model.getStreamedResponse(changed(request, changes)))
      const { answer, replacement } = await askModel(guard, questionOf(request, name), ask, (events) =>
        events.map((event) => (event.type === 'response_done' ? textOf(event.response.output) : '')).join(''),
      )
      yield* replacement === null ? answer : answer.flatMap((event) => retoldEvent(event, replacement))
    },
  }
}

function questionOf({ input, systemInstructions, tools }: ModelRequest, model: string): Question {
  return {
    model,
    prompt: lastPrompt(input),
    ...(systemInstructions ? { system_prompt: systemInstructions } : {}),
    tools: tools.map(({ name }) => name),
  }
}

function changed(request: ModelRequest, { messages, system_prompt, tools }: Changes): ModelRequest {
  const { input } = request
  const items: AgentInputItem[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input
  const added = messages.map(({ role, text }) => (role === 'user' ? { role, content: text } : said(text)))
  return {
    ...request,
    input: [...items, ...added],
    ...(system_prompt === undefined ? {} : { systemInstructions: system_prompt }),
    ...(tools ? { tools: request.tools.filter(({ name }) => tools.includes(name)) } : {}),
  }
}

function said(text: string) {
  const content = [{ type: 'output_text' as const, text }]
  return { type: 'message' as const, role: 'assistant' as const, status: 'completed' as const, content }
}

function textOf(output: readonly unknown[]): string {
  return (output as Output)
    .flatMap((item) => ('role' in item && item.role === 'assistant' ? item.content : []))
    .map((part) => (part.type === 'output_text' ? part.text : ''))
    .join('')
}

function retold(output: readonly unknown[], text: string): Output {
  return [said(text), ...(output as Output).filter((item) => !('role' in item))]
}

function retoldEvent(event: StreamEvent, text: string): StreamEvent[] {
  if (event.type === 'response_done') {
    const response = { ...event.response, output: retold(event.response.output, text) }
    return [{ type: 'output_text_delta', delta: text }, { ...event, response } as StreamEvent]
  }
  return event.type === 'output_text_delta' || event.type === 'model' ? [] : [event]
}

function lastPrompt(input: string | readonly AgentInputItem[]): string {
  if (typeof input === 'string') return input
  const last = input.findLast((item) => 'role' in item && item.role === 'user')
  const content: unknown = last && 'content' in last ? last.content : ''
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('') : ''
}
