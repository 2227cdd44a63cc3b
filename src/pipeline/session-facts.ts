/**
 * What the agent's transcript says about the session, for hooks that ask: `model`, `usage` of the last request, recent
 * tools. Only the end of the file is read. Unknown values are null, and `context.unknown` says why.
 */

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { homedir } from 'node:os'
import { messageOf } from '../spec/errors.ts'
import type { HookEvent } from '../spec/event.ts'
import type { History, TurnFacts } from '../spec/history.ts'
import { toCanonicalTool } from '../spec/tool.ts'
import type { Context } from './context.ts'

/** Bytes from the end of the file that are looked at. */
const TAIL = 256 * 1024
const MAX_TOOLS = 10

interface Facts extends TurnFacts {
  tools: string[]
}

/** What was found, or why nothing could be. */
export type Found = Facts | { why: string }

export async function addFacts(context: Context): Promise<void> {
  fill(context.event, await readFacts(context))
}

export function fill(event: HookEvent, found: Found): void {
  const unknown: Record<string, string> = {}
  const put = (field: 'model' | 'usage', value: unknown) => {
    if (event[field] !== undefined) return
    event[field] = value ?? null
    if (value === undefined) unknown[field] = 'why' in found ? found.why : 'its transcript does not say it'
  }
  const facts = 'why' in found ? { tools: undefined } : found
  put('model', 'model' in facts ? facts.model : undefined)
  put('usage', 'usage' in facts ? facts.usage : undefined)
  event.context.token_usage ??= event.usage
  if ('limit' in facts && facts.limit !== undefined) event.context.token_limit ??= facts.limit
  if (facts.tools) event.context.recent_tools ??= facts.tools
  else if ('why' in found) unknown.recent_tools = found.why
  if (Object.keys(unknown).length > 0) event.context.unknown = unknown
}

export async function readFacts({ agent, event, env }: Context): Promise<Found> {
  if (!agent?.agent.history) return { why: 'this agent keeps no transcript that can be read' }
  const history = await agent.agent.history()
  const path = fileOf(history, event, env)
  if (path === undefined) return { why: 'the agent does not say where its transcript is' }
  try {
    return factsOf(history, path, (name) => toCanonicalTool(agent.tools, name, {}).name)
  } catch (error) {
    return { why: `its transcript cannot be read: ${messageOf(error)}` }
  }
}

function fileOf(history: History, event: HookEvent, env: NodeJS.ProcessEnv): string | undefined {
  const told = event.context.transcript_path
  if (typeof told === 'string' && told !== '') return told
  // Reject an id that could lead to another path.
  if (!history.fileOf || !/^[\w-]+$/.test(event.session_id)) return undefined
  return history.fileOf({ home: env.HOME || homedir(), env }, event.session_id)
}

function factsOf(history: History, path: string, canonical: (name: string) => string): Facts {
  const facts: Facts = { tools: [] }
  const reader = history.reader({ path, text: () => undefined })
  for (const record of lastRecords(path)) {
    const { model, usage, limit } = history.turn?.(record) ?? {}
    if (model !== undefined) facts.model = model
    if (usage !== undefined) facts.usage = usage
    if (limit !== undefined) facts.limit = limit
    for (const recorded of reader.read(record)) {
      const name = 'payload' in recorded ? toolName(recorded.payload) : undefined
      if (name !== undefined) facts.tools.push(canonical(name))
    }
  }
  facts.tools = facts.tools.slice(-MAX_TOOLS)
  return facts
}

function toolName({ tool_name, toolName: camel }: Record<string, unknown>): string | undefined {
  const name = tool_name ?? camel
  return typeof name === 'string' ? name : undefined
}

/** Complete records at the end of the file; the last one may still be being written. */
function* lastRecords(path: string): Generator<Record<string, unknown>> {
  // Nonblocking, in case it is a pipe.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  let text: string
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new Error('it is no file')
    const { size } = stat
    const from = Math.max(0, size - TAIL)
    const buffer = Buffer.alloc(size - from)
    readSync(file, buffer, 0, buffer.length, from)
    text = buffer.toString('utf8')
    if (from > 0) text = text.slice(text.indexOf('\n') + 1)
  } finally {
    closeSync(file)
  }
  for (const line of text.split('\n')) {
    if (!line.startsWith('{')) continue
    try {
      yield JSON.parse(line) as Record<string, unknown>
    } catch {
      // incomplete: the agent is writing it
    }
  }
}
