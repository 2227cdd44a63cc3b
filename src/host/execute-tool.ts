/** Tools that hooks of SDK processes call: run in the session's folder, after the same hooks as any tool call. */

import { TOOL_TABLE } from '../dialects/registry-programs.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { FireResult } from '../spec/outcome.ts'
import { toCanonicalTool } from '../spec/tool.ts'
import type { Core } from './core.ts'
import { expectInput, TOOLS, type ToolDone } from './daemon-tools.ts'
import { DEPTH_FIELD } from './grpc/streams.ts'
import type { Trace } from './trace.ts'

export interface ToolCall {
  client: string
  sessionId: string
  /** The event that the hook is answering, if it says so. */
  eventId: string
  tool: string
  args: Record<string, unknown>
  /** The caller's trace; otherwise that of the event. */
  trace: Trace | undefined
  signal: AbortSignal
}

/** A tool called by a hook may trigger hooks; those may not call tools. */
const MAX_DEPTH = 1

/** Logs a line for each call, whatever its result. */
export async function executeTool(core: Core, call: ToolCall): Promise<ToolDone & { duration: number }> {
  const { client, sessionId, tool } = call
  const about = { client, session: sessionId, tool }
  try {
    const done = await run(core, call)
    const how = done.success ? 'succeeded' : 'failed'
    core.log.info(`executeTool: ${tool} ${how} in ${Math.round(done.duration)} ms`, about)
    return done
  } catch (error) {
    core.log.warn(`executeTool: ${tool} did not run: ${messageOf(error)}`, about)
    throw error
  }
}

async function run(core: Core, call: ToolCall): Promise<ToolDone & { duration: number }> {
  const { client, sessionId, eventId, tool, args } = call
  if (!core.options.executeTool)
    throw new CrosshookError('refused', 'The daemon runs no tools for hooks.', {
      fix: 'Set execute_tool = true under [daemon] in config.toml and start it again.',
    })
  const work_dir = core.sessions.workDir(sessionId)
  if (work_dir === undefined)
    throw new CrosshookError(
      'not_found',
      `The daemon has seen no event of session "${sessionId}", so it has no folder.`,
      { fix: 'Use the session id of the event that the hook was called with.' },
    )
  const { depth, trace: ofEvent } = core.streams.callerOf(client, sessionId, eventId)
  if (depth >= MAX_DEPTH)
    throw new CrosshookError(
      'refused',
      'A hook that was run by executeTool may not call executeTool again.',
      {
        fix: 'Match fewer tools in the hook, or do the work in the first call.',
      },
    )
  const { name, input } = toCanonicalTool(TOOL_TABLE, tool, args)
  const start = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined
  if (!start)
    throw new CrosshookError('bad_input', `The daemon has no tool "${tool}".`, {
      fix: `It has: ${Object.keys(TOOLS).join(', ')}.`,
    })
  expectInput(name, input)
  const trace = call.trace ?? ofEvent
  const event = { session_id: sessionId, work_dir, tool_name: name, context: { [DEPTH_FIELD]: depth + 1 } }
  const before = await core.fire('before_tool', { ...event, tool_input: input }, trace)
  if (before.decision !== 'allow') throw blocked(tool, before)
  const tool_input = before.updated_input ?? input
  const started = performance.now()
  // Nothing keeps running after its caller has gone or the daemon closes.
  const signal = AbortSignal.any([call.signal, core.closing])
  const done = await start(tool_input, { folder: work_dir, env: core.options.env, signal })
  const duration = performance.now() - started
  const after = { ...event, tool_input, tool_output: done, duration_ms: Math.round(duration) }
  await core.fire(done.success ? 'after_tool' : 'after_tool_failure', after, trace)
  return { ...done, duration }
}

function blocked(tool: string, { decision, reason }: FireResult): CrosshookError {
  const why = reason ?? 'no reason given'
  if (decision === 'deny')
    return new CrosshookError('refused', `${tool} was blocked by a hook: ${why}`, {
      fix: 'Do what the hook asks for, or go without the tool.',
    })
  return new CrosshookError('refused', `A hook wants a person to decide about ${tool}: ${why}`, {
    fix: 'Nobody can be asked here: let the agent call the tool.',
  })
}
