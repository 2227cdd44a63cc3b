/** Anthropic messages. */

import { type Api, afterLast, json, list, type Turn } from './turn.ts'

export const anthropic: Api = {
  other(method, path) {
    if (path.includes('/count_tokens')) return json({ input_tokens: 1000 })
    if (method === 'GET' && path.includes('/models')) return json({ data: [] })
    return undefined
  },
  asks: (path) => path.startsWith('/v1/messages'),
  isSideCall: (body) => list(body.tools).length === 0,
  told: (body) => afterLast(list(body.messages), (message) => message.role === 'assistant'),
  answer(turn, body, number) {
    const message = {
      id: `msg_${number}`,
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: [] as unknown[],
      stop_reason: null as string | null,
      stop_sequence: null,
      usage: { input_tokens: 100, output_tokens: 1 },
    }
    const stop = 'call' in turn ? 'tool_use' : 'end_turn'
    if (body.stream !== true) return json({ ...message, content: [block(turn, number)], stop_reason: stop })
    const delta =
      'call' in turn
        ? { type: 'input_json_delta', partial_json: JSON.stringify(turn.call.input) }
        : { type: 'text_delta', text: turn.text }
    const start = 'call' in turn ? { ...block(turn, number), input: {} } : { type: 'text', text: '' }
    return {
      type: 'text/event-stream',
      body: [
        { type: 'message_start', message },
        { type: 'content_block_start', index: 0, content_block: start },
        { type: 'content_block_delta', index: 0, delta },
        { type: 'content_block_stop', index: 0 },
        {
          type: 'message_delta',
          delta: { stop_reason: stop, stop_sequence: null },
          usage: { output_tokens: 20 },
        },
        { type: 'message_stop' },
      ]
        .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        .join(''),
    }
  },
}

function block(turn: Turn, number: number): Record<string, unknown> {
  return 'call' in turn
    ? { type: 'tool_use', id: `toolu_${number}`, name: turn.call.tool, input: turn.call.input }
    : { type: 'text', text: turn.text }
}
