/** Stage 1: the agent's payload, or the fields that a caller gave → a canonical event. */

import { loadDialect, loadedDialect } from '../dialects/list.ts'
import { isUtf8Text } from '../fast/utf8-in-pieces.ts'
import type { Dialect } from '../spec/dialect.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { HookEvent } from '../spec/event.ts'
import { parseJson } from '../spec/json.ts'
import type { AgentCall, Context } from './context.ts'
import { completeEvent, eventName } from './decode/complete-event.ts'

/** Decodes an agent's call. Returns a promise only when a dialect has to be loaded, or the payload is large. */
export function decode(context: Context, call: AgentCall): Promise<void> | undefined {
  const dialect = loadedDialect(call.agent)
  const bytes = call.read()
  if (dialect && typeof bytes === 'string') return decodeAs(context, call, dialect, parse(bytes))
  return decodeLater(context, call, bytes)
}

async function decodeLater(context: Context, call: AgentCall, bytes: string | Buffer): Promise<void> {
  const dialect = await loadDialect(call.agent)
  expectAgent(dialect)
  decodeAs(context, call, dialect, typeof bytes === 'string' ? parse(bytes) : await parseLarge(bytes))
}

function expectAgent(dialect: Dialect): asserts dialect is NonNullable<Context['agent']> {
  if (dialect.agent) return
  throw new CrosshookError(
    'unknown_agent',
    `${dialect.title} is a hook format, not an agent that calls hooks`,
  )
}

function decodeAs(context: Context, call: AgentCall, dialect: Dialect, native: unknown): undefined {
  expectAgent(dialect)
  const { agent } = dialect
  const { env, cwd } = context
  let event = agent.decode(native, call.event === undefined ? { env, cwd } : { env, cwd, event: call.event })
  if (hasStrayed(event, call.event, agent)) {
    context.strayed = event.native_event ?? event.event_type
    event = ofEntry(event, agent.decode({}, { env, cwd, event: call.event }))
  }
  if (call.context) event.context = { ...call.context, ...event.context }
  context.agent = dialect
  context.event = event
  context.native = native
  context.capability = agent.capabilities[event.native_event ?? event.event_type]
}

/**
 * The agent called the entry of one event with the payload of another. Its next action is that of the entry's event;
 * the payload's event may have no guards.
 */
function hasStrayed(
  { native_event }: HookEvent,
  called: string | undefined,
  { capabilities }: NonNullable<Dialect['agent']>,
): called is string {
  return called !== undefined && native_event !== called && Object.hasOwn(capabilities, called)
}

/** The event of the entry; only the caller is known. */
function ofEntry({ session_id, work_dir, native }: HookEvent, plain: HookEvent): HookEvent {
  return { ...plain, session_id, work_dir, native }
}

/** An event by its canonical name or an alias, with any of its fields. */
export function decodeFields(context: Context, name: string, fields: Record<string, unknown>): void {
  context.event = completeEvent(eventName(name), fields, context.cwd)
}

/** Agents send JSON. Anything else stays a text, which the stage `guard` refuses. */
function parse(text: string): unknown {
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text
  try {
    return parseJson(plain)
  } catch {
    return plain
  }
}

async function parseLarge(bytes: Buffer): Promise<unknown> {
  if (!isUtf8Text(bytes)) throw new CrosshookError('bad_input', 'what the agent sent is not UTF-8 text')
  const plain = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes
  try {
    return (await import('../fast/large-payload.ts')).parseLarge(plain)
  } catch {
    return plain.toString('utf8')
  }
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff')
