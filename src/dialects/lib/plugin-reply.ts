/** The reply for our own plugin, which carries out in its agent what the agent itself does not support. Light. */

import type { Reply } from '../../spec/dialect.ts'
import type { HookEvent } from '../../spec/event.ts'
import type { Outcome } from '../../spec/outcome.ts'
import type { ToolTable } from '../../spec/tool.ts'
import { contextOf, given, reasonOf } from './hook-specific-output.ts'
import { outputText, string } from './payload.ts'
import { wholeNativeInput } from './rewrite.ts'

/** `original` is the tool's input as the agent has it. */
export function encodePluginReply(
  outcome: Outcome,
  event: HookEvent,
  tools: ToolTable,
  original: unknown,
): Reply {
  const blocked = outcome.decision === 'deny' || outcome.stop !== undefined
  const updated = blocked ? undefined : outcome.updated_input
  // Never empty: the plugin takes an empty reply for a program that did not run.
  const members =
    given({
      deny: blocked ? reasonOf(outcome) : undefined,
      prompt: event.native_tool_name === undefined ? string(updated?.prompt) : undefined,
      input:
        updated && event.native_tool_name !== undefined
          ? wholeNativeInput(tools, event, updated, original)
          : undefined,
      output: outcome.updated_output === undefined ? undefined : outputText(outcome.updated_output),
      context: contextOf(outcome),
      message: outcome.user_message,
    }) ?? {}
  return { stdout: `${JSON.stringify(members)}\n`, stderr: '', exit_code: 0 }
}
