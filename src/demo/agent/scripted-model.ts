/** What the agent needs of a model, and one that follows a script: for tests, demos and your first steps. */

export interface ToolCall {
  id: string
  name: string
  input: Record<string, unknown>
}

export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string
  /** What the assistant wants to have done. */
  tool_calls?: ToolCall[]
  /** Which call a tool message answers. */
  tool_use_id?: string
  is_error?: boolean
}

export interface Request {
  messages: readonly Message[]
  /** Names of the tools that may be called. */
  tools: readonly string[]
}

export interface ModelAnswer {
  text: string
  tool_calls: ToolCall[]
  usage: { input_tokens: number; output_tokens: number }
}

export interface Model {
  readonly name: string
  answer(request: Request): Promise<ModelAnswer>
}

/** What the script says: a text, tool calls, or both. */
export interface Line {
  text?: string
  calls?: readonly { tool: string; input: Record<string, unknown> }[]
}

/** Gives the lines one after another, whatever it is asked; a function sees the request first. */
export function scriptedModel(lines: readonly (Line | ((request: Request) => Line))[]): Model {
  let at = 0
  let calls = 0
  return {
    name: 'scripted',
    async answer(request) {
      const line = lines[at++] ?? { text: 'I have nothing more to do.' }
      const { text = '', calls: wanted = [] } = typeof line === 'function' ? line(request) : line
      return {
        text,
        tool_calls: wanted.map(({ tool, input }) => ({ id: `call_${++calls}`, name: tool, input })),
        usage: { input_tokens: countTokens(request.messages), output_tokens: 50 },
      }
    },
  }
}

/** Some four characters make a token. */
export function countTokens(messages: readonly Message[]): number {
  return Math.ceil(messages.reduce((sum, { content }) => sum + content.length, 0) / 4)
}
