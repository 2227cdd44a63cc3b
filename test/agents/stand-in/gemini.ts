/** Gemini generateContent and streamGenerateContent. */

import { type Api, afterLast, type Body, json, list, type Turn } from './turn.ts'

export const gemini: Api = {
  other(method, path) {
    if (path.includes(':countTokens')) return json({ totalTokens: 100 })
    return method === 'GET' && path.includes('/models') ? json({ models: [] }) : undefined
  },
  asks: (path) => /:(?:stream)?[gG]enerateContent/.test(path),
  isSideCall: (body, path) => path.includes(':generateContent') || list(body.tools).length === 0,
  told: (body) => afterLast(list(body.contents), (content) => content.role === 'model'),
  answer(turn, body, number, path) {
    const answer = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part(turn, body)] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 5, totalTokenCount: 105 },
      modelVersion: 'fake',
      responseId: `r${number}`,
    }
    return path.includes(':streamGenerateContent')
      ? { type: 'text/event-stream', body: `data: ${JSON.stringify(answer)}\n\n` }
      : json(answer)
  },
}

function part(turn: Turn, body: Body): Record<string, unknown> {
  if ('call' in turn) return { functionCall: { name: turn.call.tool, args: turn.call.input } }
  const config = body.generationConfig as { responseMimeType?: string } | undefined
  return {
    text: config?.responseMimeType?.includes('json')
      ? '{"reasoning":"scripted","model_choice":"flash","next_speaker":"user"}'
      : turn.text,
  }
}
