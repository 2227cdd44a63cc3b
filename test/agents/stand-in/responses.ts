/** OpenAI responses. */

import { type Api, afterLast, type Body, json, list, type Turn } from './turn.ts'

export const responses: Api = {
  other(method, path) {
    return method === 'GET' && path.includes('/models') ? json({ models: [] }) : undefined
  },
  asks: (path) => path.endsWith('/responses'),
  isSideCall: (body) =>
    list(body.tools).length === 0 && !list(body.input).some((item) => item.type === 'additional_tools'),
  // Hook context may stand before the result of the call, but never before the call.
  told: (body) => afterLast(list(body.input), isOfModel),
  answer(turn, _body, number) {
    const item = itemOf(turn, number)
    const response = {
      id: `resp_${number}`,
      object: 'response',
      status: 'in_progress',
      output: [] as unknown[],
    }
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 110,
    }
    return {
      type: 'text/event-stream',
      body: [
        { type: 'response.created', response },
        { type: 'response.output_item.added', output_index: 0, item },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: { ...response, status: 'completed', output: [item], usage } },
      ]
        .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        .join(''),
    }
  },
}

function isOfModel(item: Body): boolean {
  return item.type === 'function_call' || item.type === 'custom_tool_call' || item.role === 'assistant'
}

function itemOf(turn: Turn, number: number): Record<string, unknown> {
  if ('text' in turn)
    return {
      type: 'message',
      id: `msg_${number}`,
      role: 'assistant',
      content: [{ type: 'output_text', text: turn.text, annotations: [] }],
    }
  const { tool, input, namespace } = turn.call
  const head = {
    id: `item_${number}`,
    call_id: `call_${number}`,
    name: tool,
    ...(namespace ? { namespace } : {}),
  }
  return typeof input === 'string'
    ? { type: 'custom_tool_call', ...head, input }
    : { type: 'function_call', ...head, arguments: JSON.stringify(input) }
}
