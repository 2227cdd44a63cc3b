/** One tool call, with everything that hooks may do about it. */

import type { FireResult } from '../../index.ts'
import { permission, toolFields } from './permission.ts'
import type { ToolCall } from './scripted-model.ts'
import { addContext, fire, reasonOf, type Session, withRetries } from './session.ts'
import { runSubagent } from './subagent.ts'

/** How the turn goes on after a call. */
export type Next = { go: 'on' } | { go: 'stop'; reason: string } | { go: 'rejected'; reason: string }

export async function callTool(session: Session, call: ToolCall): Promise<Next> {
  session.report({ kind: 'wants', call })
  const before = await withRetries(
    () => fire(session, 'before_tool', toolFields(call)),
    (result) => (result.decision === 'deny' ? null : result.retry),
  )
  if (before.decision === 'deny' || before.retry !== null) {
    const reason = before.decision === 'deny' ? reasonOf(before) : `${reasonOf(before)} (it is not yet time)`
    answer(session, call, `Blocked by a hook: ${reason}`, true)
    addContext(session, before)
    return stopOf(before)
  }
  const asked = before.decision === 'ask' ? reasonOf(before) : null
  const allowed = await permission(session, { ...call, input: before.updated_input ?? call.input }, asked)
  if (!allowed.granted) {
    answer(session, call, `Not allowed: ${allowed.reason}`, true)
    addContext(session, before)
    return { go: allowed.stop ? 'stop' : 'rejected', reason: allowed.reason }
  }
  const { came, after } = await runTool(session, { ...call, input: allowed.input })
  answer(session, { ...call, input: allowed.input }, came.text, came.failed)
  addContext(session, before)
  addContext(session, after)
  return stopOf(after)
}

interface Came {
  text: string
  failed: boolean
}

/** Runs the tool and lets hooks see, change or comment what came, or have it tried again. */
function runTool(session: Session, call: ToolCall): Promise<{ came: Came; after: FireResult }> {
  return withRetries(
    async () => {
      const started = performance.now()
      const came = await attempt(session, call)
      const fields = { ...toolFields(call), duration_ms: Math.round(performance.now() - started) }
      const after = came.failed
        ? await fire(session, 'after_tool_failure', { ...fields, error: came.text })
        : await fire(session, 'after_tool', { ...fields, tool_output: came.text })
      if (after.updated_output !== null) came.text = asText(after.updated_output)
      // It has already happened: a block can only inform the model.
      if (after.decision === 'deny') came.text += `\n[Hook feedback: ${reasonOf(after)}]`
      return { came, after }
    },
    ({ after }) => after.retry,
  )
}

async function attempt(session: Session, { name, input }: ToolCall): Promise<Came> {
  try {
    if (name === 'Subagent') return { text: await runSubagent(session, input), failed: false }
    const tool = Object.hasOwn(session.tools, name) ? session.tools[name] : undefined
    if (!tool) throw new Error(`There is no tool ${name}.`)
    return { text: await tool.run(input, session.workDir), failed: false }
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), failed: true }
  }
}

function answer(session: Session, call: ToolCall, text: string, failed: boolean): void {
  session.report({ kind: 'result', call, text, failed })
  session.messages.push({
    role: 'tool',
    tool_use_id: call.id,
    content: text,
    ...(failed ? { is_error: true } : {}),
  })
}

function stopOf({ stop }: FireResult): Next {
  return stop === null ? { go: 'on' } : { go: 'stop', reason: stop }
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
