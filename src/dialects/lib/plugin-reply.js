/** What a plugin of ours is told: it does in its agent what no agent does by itself. Light. */
import { contextOf, given, reasonOf } from './hook-specific-output.ts';
import { outputText, string } from './payload.ts';
import { wholeNativeInput } from './rewrite.ts';
/** `original` is the tool's input as the agent has it. */
export function encodePluginReply(outcome, event, tools, original) {
    const blocked = outcome.decision === 'deny' || outcome.stop !== undefined;
    const updated = blocked ? undefined : outcome.updated_input;
    // Never empty: the plugin takes silence for a program that did not run.
    const members = given({
        deny: blocked ? reasonOf(outcome) : undefined,
        prompt: event.native_tool_name === undefined ? string(updated?.prompt) : undefined,
        input: updated && event.native_tool_name !== undefined
            ? wholeNativeInput(tools, event, updated, original)
            : undefined,
        output: outcome.updated_output === undefined ? undefined : outputText(outcome.updated_output),
        context: contextOf(outcome),
        message: outcome.user_message,
    }) ?? {};
    return { stdout: `${JSON.stringify(members)}\n`, stderr: '', exit_code: 0 };
}
