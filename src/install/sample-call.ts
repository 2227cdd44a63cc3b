/** A call of an event as an agent would make it, without the agent. */

import type { HookEvent } from '../spec/event.ts'
import { EVENTS, eventRow } from '../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../spec/hook.ts'
import { toNativeTool } from '../spec/tool.ts'
import type { KnownAgent } from './known.ts'

/** Decoded. */
export function sampleCall(agent: KnownAgent, event: string, workDir: string): HookEvent {
  const native: unknown = JSON.parse(samplePayload(agent, event, workDir, 'sample'))
  return agent.agent.decode(native, { event, env: {}, cwd: workDir })
}

/** In the agent's format, as its own hooks would get it. */
export function samplePayload(
  { id, dialect }: KnownAgent,
  native: string,
  workDir: string,
  session: string,
  call: SampleTool = COMMAND,
): string {
  const type = [dialect.events[native] ?? `${id}/${native}`].flat()[0]!
  const event = sampleEvent(type, workDir, session, call)
  const hook: Hook = {
    ...HOOK_DEFAULTS,
    name: 'canary',
    format: id,
    scope: 'user',
    events: [event.event_type],
    native_event: native,
    run: { type: 'command', argv: ['true'] },
    origin: { file: '' },
  }
  if (dialect.format) return dialect.format.encode(event, hook, {}).text
  const tool = toNativeTool(dialect.tools, call.name, call.input)
  return JSON.stringify({
    hook_event_name: native,
    session_id: event.session_id,
    cwd: workDir,
    ...(eventRow(event.event_type).tool ? { tool_name: tool.name, tool_input: tool.input } : {}),
  })
}

/** A canonical tool call. */
export interface SampleTool {
  name: string
  input: Record<string, unknown>
}

const COMMAND: SampleTool = { name: 'Shell', input: { command: 'echo crosshook-canary' } }
const SAMPLES = {
  string: 'canary',
  integer: 1,
  boolean: false,
  object: {},
  array: [],
  strings: [],
  any: 'canary',
  'object?': null,
}

function sampleEvent(type: string, workDir: string, session: string, call: SampleTool): HookEvent {
  const { fields } = eventRow(type)
  const own = Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, SAMPLES[kind]]))
  const tool = Object.hasOwn(EVENTS, type) && eventRow(type).tool
  return {
    ...own,
    event_type: type,
    timestamp: new Date().toISOString(),
    session_id: session,
    work_dir: workDir,
    context: {},
    ...(tool ? { tool_name: call.name, tool_input: call.input } : {}),
  }
}
