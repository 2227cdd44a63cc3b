/** What the scripted model says, whatever the API in which it says it. */

export interface Call {
  tool: string
  /** A text for free-form tools. */
  input: Record<string, unknown> | string
  namespace?: string
}

export type Turn = { call: Call } | { text: string }

/** One answer of the model. A function sees what the model was told last. */
export interface Step {
  id: string
  turn: Turn | ((told: string) => Turn)
}

export interface Reply {
  type: 'application/json' | 'text/event-stream'
  body: string
}

/** One model API, as far as the agents of this folder use it. */
export interface Api {
  /** Answers to everything that is no question to the model; undefined when it is one. */
  other(method: string, path: string): Reply | undefined
  /** Is this path a question to the model? */
  asks(path: string): boolean
  /** A question that must not use up a step: no tools are offered. */
  isSideCall(body: Body, path: string): boolean
  /** What came after the last word of the model: tool results and whatever hooks added. */
  told(body: Body): string
  answer(turn: Turn, body: Body, number: number, path: string): Reply
}

export type Body = Record<string, unknown>

export function json(value: unknown): Reply {
  return { type: 'application/json', body: JSON.stringify(value) }
}

/** Every text in a value, one per line. */
export function texts(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value)
    .map(texts)
    .filter((text) => text !== '')
    .join('\n')
}

export function list(value: unknown): Body[] {
  return Array.isArray(value) ? (value as Body[]) : []
}

/** The texts of all items behind the last one that the model itself said. */
export function afterLast(items: Body[], isOfModel: (item: Body) => boolean): string {
  return texts(items.slice(items.findLastIndex(isOfModel) + 1))
}
