/**
 * Hooks around any MCP server: in the agent's settings, put `node mcp-proxy.ts --` before the server's command. Every
 * message passes as it is; a tool call passes hooks first, and so does its result.
 */

import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  type CallToolResult,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import { loadHooks } from 'crosshook'
import { asText, callTool, createGuard, type Guard, type ToolResult } from './guard.ts'

const USAGE = 'usage: node mcp-proxy.ts [--name SERVER] -- COMMAND [ARGUMENT…]'

type Fields = Record<string, unknown>
type Answer = { result: Fields } | { error: { code: number; message: string } }

await main(process.argv.slice(2))

async function main(given: string[]): Promise<void> {
  const split = given.indexOf('--')
  const [command, ...args] = split < 0 ? [] : given.slice(split + 1)
  const name = given[0] === '--name' && split === 2 ? given[1] : undefined
  if (!command || (split !== 0 && !name)) {
    console.error(USAGE)
    process.exitCode = 1
    return
  }
  // stdout is reserved for the protocol, so messages go to stderr.
  const hooks = await loadHooks({ onTrouble: (sentence) => console.error(sentence) })
  const agent = new StdioServerTransport()
  const server = new StdioClientTransport({ command, args, env: process.env as Record<string, string> })
  let ending: Promise<void> | undefined
  const end = () =>
    (ending ??= server.close().then(() => {
      hooks.close()
      process.exit()
    }))
  server.onclose = () => void end()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end)
  process.stdin.on('end', end)
  connect(agent, server, createGuard({ hooks }), name)
  await server.start()
  await agent.start()
}

function connect(agent: Transport, server: Transport, guard: Guard, name = ''): void {
  const waiting = new Map<RequestId, (answer: Answer) => void>()
  /** Calls of the agent that have no answer yet, and under which id the server knows them. */
  const open = new Map<RequestId, { asked?: RequestId }>()
  let greeting: RequestId | undefined
  let count = 0

  const request = (to: Transport, method: string, params: Fields, asked?: (id: RequestId) => void) =>
    new Promise<Answer>((resolve, reject) => {
      const id = `crosshook-${++count}`
      asked?.(id)
      waiting.set(id, resolve)
      to.send({ jsonrpc: '2.0', id, method, params }).catch(reject)
    })

  agent.onmessage = (message) => {
    if (isAnswered(message, waiting)) return
    if (isJSONRPCRequest(message) && message.method === 'tools/call')
      return void call(message).catch((error) => refuse(message.id, error))
    if (isJSONRPCRequest(message) && message.method === 'initialize') {
      greeting = message.id
      const { elicitation } = (message.params?.capabilities ?? {}) as Fields
      if (elicitation) guard.ask ??= askPerson
    }
    void server.send(isCancel(message) ? cancelled(message) : message)
  }
  server.onmessage = (message) => {
    if (isAnswered(message, waiting)) return
    if (isJSONRPCResultResponse(message) && message.id === greeting)
      name ||= String((message.result.serverInfo as Fields | undefined)?.name ?? 'server')
    void agent.send(message)
  }

  async function call({ id, params = {} }: JSONRPCRequest): Promise<void> {
    const known: { asked?: RequestId } = {}
    open.set(id, known)
    let answer: Answer | undefined
    const tool = {
      name: `mcp__${name}__${params.name}`,
      input: (params.arguments ?? {}) as Fields,
      id: String(id),
    }
    const result = await callTool(guard, tool, async (input) => {
      if (!open.has(id)) throw new Error('The call was cancelled.')
      answer = await request(server, 'tools/call', { ...params, arguments: input }, (asked) => {
        known.asked = asked
      })
      if ('error' in answer) throw new Error(answer.error.message)
      const came = answer.result as CallToolResult
      return { output: outputOf(came), failed: came.isError === true }
    })
    // A cancelled call gets no answer.
    if (open.delete(id)) await agent.send({ jsonrpc: '2.0', id, ...answerOf(guard, result, answer) })
  }

  /** Hooks could not be asked at all, so the call must not happen. */
  function refuse(id: RequestId, error: unknown): void {
    if (open.delete(id))
      void agent.send({ jsonrpc: '2.0', id, error: { code: -32603, message: `crosshook: ${error}` } })
  }

  async function askPerson(question: string): Promise<boolean> {
    const requestedSchema = { type: 'object', properties: {} }
    const answer = await request(agent, 'elicitation/create', { message: question, requestedSchema })
    return 'result' in answer && answer.result.action === 'accept'
  }

  function cancelled(message: JSONRPCMessage & { params: { requestId: RequestId } }): JSONRPCMessage {
    const { requestId } = message.params
    const asked = open.get(requestId)?.asked
    if (!open.delete(requestId) || asked === undefined) return message
    waiting.get(asked)?.({ error: { code: 0, message: 'The call was cancelled.' } })
    waiting.delete(asked)
    return { ...message, params: { ...message.params, requestId: asked } }
  }
}

function answerOf(guard: Guard, result: ToolResult, answer: Answer | undefined): Answer {
  const notes = [...result.notes]
  // Only the model can be told: the agent itself knows nothing of hooks.
  if (guard.stopped !== null) notes.push(`[A hook wants the work to end here: ${guard.stopped}]`)
  guard.stopped = null
  if (answer && 'error' in answer && !result.replaced && notes.length === 0) return answer
  const came = answer && 'result' in answer ? (answer.result as CallToolResult) : undefined
  const base = came && !result.replaced ? came : replacement(result, came)
  const content = [...base.content, ...notes.map((text) => ({ type: 'text' as const, text }))]
  return { result: { ...base, content } }
}

/** A whole result, an object for a tool that returns objects, or a text. It replaces the output of the tool. */
function replacement({ output, failed }: ToolResult, came: CallToolResult | undefined): CallToolResult {
  const isObject = typeof output === 'object' && output !== null
  if (isObject && 'content' in output && Array.isArray(output.content)) return output as CallToolResult
  return {
    content: [{ type: 'text', text: asText(output) }],
    ...(isObject && came?.structuredContent ? { structuredContent: output as Fields } : {}),
    ...(failed ? { isError: true } : {}),
  }
}

function outputOf({ content, structuredContent }: CallToolResult): unknown {
  if (structuredContent) return structuredContent
  if (content.every((part) => part.type === 'text')) return content.map((part) => part.text).join('\n')
  return { content }
}

function isAnswered(message: JSONRPCMessage, waiting: Map<RequestId, (answer: Answer) => void>): boolean {
  if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return false
  const { id } = message
  const resolve = id === undefined ? undefined : waiting.get(id)
  if (id === undefined || !resolve) return false
  waiting.delete(id)
  resolve('error' in message ? { error: message.error } : { result: message.result })
  return true
}

function isCancel(message: JSONRPCMessage): message is JSONRPCMessage & { params: { requestId: RequestId } } {
  return (
    'method' in message &&
    message.method === 'notifications/cancelled' &&
    message.params?.requestId !== undefined
  )
}
