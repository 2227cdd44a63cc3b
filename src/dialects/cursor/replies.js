/** Outcome → what Cursor obeys, and the answers of hooks written for it → outcomes. */
import { decodeCommandReply } from '../lib/command-replies.ts';
import { reasonAndContext } from '../lib/family-replies.ts';
import { contextOf, given, jsonReply, reasonOf } from '../lib/hook-specific-output.ts';
import { isRecord, string } from '../lib/payload.ts';
import { canonicalInput, wholeNativeInput } from '../lib/rewrite.ts';
import { tools } from './tools.ts';
export function encode(outcome, event) {
    const blocked = outcome.decision === 'deny' || outcome.stop !== undefined;
    return jsonReply((MEMBERS[event.native_event ?? ''] ?? contextMember)(outcome, event, blocked));
}
const contextMember = (outcome, _event, blocked) => given({ additional_context: reasonAndContext(outcome, blocked) }) ?? {};
const followUp = (outcome, _event, blocked) => blocked ? { followup_message: reasonOf(outcome) } : {};
const permission = (outcome, event, blocked) => {
    const isAsk = outcome.decision === 'ask';
    if (blocked || isAsk)
        return {
            permission: blocked ? 'deny' : 'ask',
            user_message: outcome.user_message || reasonOf(outcome),
            agent_message: [reasonOf(outcome), contextOf(outcome)].filter(Boolean).join('\n\n'),
        };
    if (!outcome.updated_input || event.native_event !== 'preToolUse')
        return {};
    return { permission: 'allow', updated_input: wholeNativeInput(tools, event, outcome.updated_input) };
};
const MEMBERS = {
    preToolUse: permission,
    beforeShellExecution: permission,
    beforeMCPExecution: permission,
    beforeReadFile: permission,
    beforeTabFileRead: permission,
    subagentStart: permission,
    beforeSubmitPrompt: (outcome, _event, blocked) => blocked
        ? {
            continue: false,
            user_message: [reasonOf(outcome), contextOf(outcome)].filter(Boolean).join('\n\n'),
        }
        : (given({ additional_context: contextOf(outcome) }) ?? {}),
    stop: followUp,
    subagentStop: followUp,
};
/** A reply of these that is no JSON closes. */
const CLOSING = new Set([
    'preToolUse',
    'beforeShellExecution',
    'beforeMCPExecution',
    'beforeReadFile',
    'beforeTabFileRead',
    'subagentStart',
]);
export function decode(raw, event, hook) {
    const name = hook.native_event ?? event.native_event ?? '';
    return decodeCommandReply(raw, {
        json: (json) => outcomeOf(json, event),
        text: () => CLOSING.has(name) ? { decision: 'deny', reason: 'The hook printed something that is not JSON.' } : {},
    });
}
function outcomeOf(json, event) {
    const followUpMessage = string(json.followup_message);
    const said = string(json.permission);
    const decision = said === 'deny' || said === 'ask' || said === 'allow'
        ? said
        : json.continue === false || followUpMessage !== undefined
            ? 'deny'
            : undefined;
    const context = string(json.additional_context);
    return (given({
        decision,
        reason: followUpMessage ?? string(json.agent_message) ?? string(json.user_message),
        user_message: string(json.user_message),
        updated_input: isRecord(json.updated_input)
            ? canonicalInput(tools, event, json.updated_input)
            : undefined,
        updated_output: json.updated_mcp_tool_output,
        additional_context: context === undefined ? undefined : [context],
    }) ?? {});
}
