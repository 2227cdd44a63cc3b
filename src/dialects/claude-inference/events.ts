/** A request ("frame") of Inference hooks → canonical events. New content is in the last message. */

import { eventRow, type HookEvent } from '../../spec/event.ts'
import { toCanonicalTool } from '../../spec/tool.ts'
import { type EventMap, type Hint, isRecord, type Payload, record, string } from '../lib/payload.ts'
import { tools } from './tools.ts'

export const ID = 'claude-inference'

export const events: EventMap = {
  prompt: { event: 'before_agent' },
  tool_call: { event: 'before_tool' },
}

export function decode(native: unknown, hint: Hint): HookEvent {
  const frame = record(native)
  const name = string(frame.type) ?? hint.event ?? 'unknown'
  const type = (Object.hasOwn(events, name) ? events[name]!.event : undefined) ?? `${ID}/${name}`
  const event: HookEvent = {
    event_type: type,
    timestamp: new Date().toISOString(),
    session_id: string(frame.session_id) ?? '',
    work_dir: hint.cwd,
    context: contextOf(frame),
    agent: ID,
    native_event: name,
    native,
  }
  if (eventRow(type).tool) return Object.assign(event, toolFields(calls(frame)[0]))
  if (type === 'before_agent') event.prompt = texts(frame)
  return event
}

/** One event per tool call, and one for a prompt; none for other kinds of frames, which the documentation also mentions. */
export function parts(native: unknown): readonly unknown[] {
  const frame = record(native)
  const last = lastMessage(frame)
  if (frame.type === 'tool_call') {
    const found = calls(frame)
    // A frame that announces a tool call but contains none becomes an event without a tool, which is refused.
    if (found.length === 0) return [frame]
    return found.map((call) => ({ ...frame, messages: [{ ...last, content: [call] }] }))
  }
  const isPrompt = frame.type === 'prompt' && last.role === 'user' && texts(frame) !== ''
  return isPrompt ? [{ ...frame, messages: [last] }] : []
}

function toolFields(call: Payload | undefined): Record<string, unknown> {
  const native = string(call?.tool_name) ?? string(call?.name) ?? ''
  const { name, input } = toCanonicalTool(tools, native, record(call?.input))
  // `restart` of the API's shell tool runs no command.
  const isRestart = name === 'Shell' && input.restart === true && input.command === undefined
  return {
    native_tool_name: native,
    tool_name: name,
    tool_input: isRestart ? { ...input, command: '' } : input,
  }
}

function contextOf(frame: Payload): Record<string, unknown> {
  const { application } = record(frame.source)
  return {
    ...(string(frame.request_id) ? { request_id: frame.request_id } : {}),
    ...(string(application) ? { application } : {}),
  }
}

function calls(frame: Payload): Payload[] {
  return blocks(frame).filter(({ type }) => type === 'tool_use')
}

function texts(frame: Payload): string {
  return blocks(frame)
    .flatMap(({ text }) => string(text) ?? [])
    .join('\n')
}

function blocks(frame: Payload): Payload[] {
  const { content } = lastMessage(frame)
  return Array.isArray(content) ? content.filter(isRecord) : []
}

function lastMessage({ messages }: Payload): Payload {
  return Array.isArray(messages) ? record(messages.at(-1)) : {}
}
