/** LangChain: one middleware for `createAgent` that puts tools, model, prompt and answer under hooks. */

import { isToolMessage, ToolMessage } from '@langchain/core/messages'
import { AIMessage, type BaseMessage, createMiddleware, HumanMessage, SystemMessage } from 'langchain'
import {
  askModel,
  asText,
  Blocked,
  callTool,
  fire,
  type Guard,
  reasonOf,
  refused,
  withNotes,
} from './guard.ts'

export function hooksMiddleware(guard: Guard) {
  return createMiddleware({
    name: 'hooks',

    beforeAgent: {
      canJumpTo: ['end'],
      async hook({ messages }) {
        const last = messages.findLast((message) => message.type === 'human')
        const before = await fire(guard, 'before_agent', { prompt: last?.text ?? '' })
        guard.remarks.push(...before.additional_context)
        const reason = await refused(guard, before)
        if (reason !== null) return { jumpTo: 'end', messages: [blocked(reason)] }
        const prompt = before.updated_input?.prompt
        if (!last || prompt === undefined) return undefined
        // A message with the id of another replaces it.
        return {
          messages: [new HumanMessage({ content: asText(prompt), ...(last.id ? { id: last.id } : {}) })],
        }
      },
    },

    async wrapModelCall(request, handler) {
      const { messages, tools, systemMessage } = request
      const question = {
        model: nameOf(request.model),
        prompt: messages.findLast((message) => message.type === 'human')?.text ?? '',
        system_prompt: systemMessage.text,
        tools: tools.map(({ name }) => String(name)),
      }
      try {
        const { answer, replacement } = await askModel(
          guard,
          question,
          async (changes) => {
            const added = changes.messages.map(({ role, text }) =>
              role === 'user' ? new HumanMessage(text) : new AIMessage(text),
            )
            const { systemPrompt: _, ...rest } = request
            return handler({
              ...rest,
              messages: [...messages, ...added],
              ...(changes.system_prompt ? { systemMessage: new SystemMessage(changes.system_prompt) } : {}),
              ...(changes.tools
                ? { tools: tools.filter(({ name }) => changes.tools?.includes(String(name))) }
                : {}),
            })
          },
          ({ text }) => text,
        )
        if (replacement === null) return answer
        const { id, tool_calls, usage_metadata, response_metadata } = answer
        return new AIMessage({
          content: replacement,
          ...(id ? { id } : {}),
          ...(tool_calls ? { tool_calls } : {}),
          ...(usage_metadata ? { usage_metadata } : {}),
          response_metadata,
        })
      } catch (error) {
        // An answer without tool calls is the last one: the agent ends, and says why.
        if (error instanceof Blocked) return blocked(error.message)
        throw error
      }
    },

    async wrapToolCall(request, handler) {
      const { name, args, id = '' } = request.toolCall
      let message: Awaited<ReturnType<typeof handler>> | undefined
      const result = await callTool(guard, { name, input: args, id }, async (input) => {
        message = await handler({ ...request, toolCall: { ...request.toolCall, args: input } })
        // A command that steers the graph is not an output: hooks are told of it, and it is passed on unchanged.
        if (!isToolMessage(message as BaseMessage)) return { output: null, failed: false }
        const { content, status } = message as ToolMessage
        return { output: content, failed: status === 'error' }
      })
      if (result.thrown !== undefined && !result.replaced && result.notes.length === 0) throw result.thrown
      if (
        message &&
        !result.replaced &&
        (result.notes.length === 0 || !isToolMessage(message as BaseMessage))
      ) {
        guard.remarks.push(...result.notes)
        return message
      }
      return new ToolMessage({
        content: withNotes(result),
        tool_call_id: id,
        name,
        status: result.failed ? 'error' : 'success',
      })
    },

    async afterAgent({ messages }) {
      const last = messages.at(-1)
      if (last?.type !== 'ai') return undefined
      const after = await fire(guard, 'after_agent', { response: last.text })
      const text = after.decision === 'deny' ? `Blocked by a hook: ${reasonOf(after)}` : after.updated_output
      if (text === null) return undefined
      return { messages: [new AIMessage({ content: asText(text), ...(last.id ? { id: last.id } : {}) })] }
    },
  })
}

function blocked(reason: string): AIMessage {
  return new AIMessage(`Blocked by a hook: ${reason}`)
}

function nameOf(model: unknown): string {
  const { model: name, modelName } = model as { model?: unknown; modelName?: unknown }
  return String(name ?? modelName ?? '')
}
