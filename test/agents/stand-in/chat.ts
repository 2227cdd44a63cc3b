/** OpenAI chat completions. */

import { type Api, afterLast, json, list, type Turn } from './turn.ts'

const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }

export const chat: Api = {
  other(method, path) {
    if (method === 'GET' && path.includes('/models'))
      return json({ object: 'list', data: [{ id: 'fake-model', object: 'model' }] })
    return undefined
  },
  asks: (path) => path.endsWith('/chat/completions'),
  isSideCall: (body) => list(body.tools).length === 0,
  told: (body) => afterLast(list(body.messages), (message) => message.role === 'assistant'),
  answer(turn, body, number) {
    const head = { id: `chatcmpl-${number}`, created: 1_700_000_000, model: body.model ?? 'fake-model' }
    const finish = 'call' in turn ? 'tool_calls' : 'stop'
    if (body.stream !== true)
      return json({
        ...head,
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: null, ...said(turn, number) },
            finish_reason: finish,
          },
        ],
        usage: USAGE,
      })
    const chunk = (choices: unknown[], more: object = {}) => ({
      ...head,
      object: 'chat.completion.chunk',
      choices,
      ...more,
    })
    return {
      type: 'text/event-stream',
      body: `${[
        chunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]),
        chunk([{ index: 0, delta: said(turn, number), finish_reason: null }]),
        chunk([{ index: 0, delta: {}, finish_reason: finish }], { usage: USAGE }),
        chunk([], { usage: USAGE }),
      ]
        .map((data) => `data: ${JSON.stringify(data)}\n\n`)
        .join('')}data: [DONE]\n\n`,
    }
  },
}

function said(turn: Turn, number: number): Record<string, unknown> {
  if ('text' in turn) return { content: turn.text }
  const { tool, input } = turn.call
  const call = { name: tool, arguments: JSON.stringify(input) }
  return { tool_calls: [{ index: 0, id: `call_${number}`, type: 'function', function: call }] }
}
