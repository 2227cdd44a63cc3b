/** Replies of agents that took over `hookSpecificOutput`, `decision` and `continue`: what most of them obey, event by event. Light. */
import { decodeCommandReply } from './command-replies.ts';
import { contextOf, jsonReply, readFamilyReply, reasonOf, specific } from './hook-specific-output.ts';
import { canonicalInput, wholeNativeInput } from './rewrite.ts';
/** `members` are those of the events that an agent answers in its own way. */
export function familyEncoder(tools, members = {}) {
    return (outcome, event) => {
        const name = event.native_event ?? '';
        const blocked = outcome.decision === 'deny' || outcome.stop !== undefined;
        const usual = name === 'PreToolUse' ? preToolMembers(tools) : blockMembers;
        return jsonReply({
            ...(outcome.stop === undefined
                ? {}
                : { continue: false, stopReason: reasonOf({ stop: outcome.stop }) }),
            ...(outcome.user_message ? { systemMessage: outcome.user_message } : {}),
            ...(members[name] ?? usual)(outcome, event, blocked),
        });
    };
}
/** A stop alone might let the tool run before the turn ends, so it denies as well. */
function preToolMembers(tools) {
    return (outcome, event, blocked) => specific('PreToolUse', {
        permissionDecision: blocked ? 'deny' : outcome.decision === 'ask' ? 'ask' : undefined,
        permissionDecisionReason: blocked || outcome.decision === 'ask' ? reasonOf(outcome) : undefined,
        updatedInput: blocked || !outcome.updated_input ? undefined : wholeNativeInput(tools, event, outcome.updated_input),
        additionalContext: contextOf(outcome),
    });
}
export const blockMembers = (outcome, event, blocked) => ({
    ...(blocked ? { decision: 'block', reason: reasonOf(outcome) } : {}),
    ...specific(event.native_event ?? '', { additionalContext: contextOf(outcome) }),
});
/** For events whose block is not shown to the model, while context is. */
export const contextMembers = (outcome, event, blocked) => specific(event.native_event ?? '', { additionalContext: reasonAndContext(outcome, blocked) });
export function reasonAndContext(outcome, blocked) {
    return ([blocked ? reasonOf(outcome) : undefined, contextOf(outcome)].filter(Boolean).join('\n\n') || undefined);
}
/** Exit code 2 blocks, JSON counts with 0, plain text is context where the format says so. */
export function familyDecoder(tools, textIsContext) {
    return (raw, event, hook) => decodeCommandReply(raw, {
        json: (json) => readFamilyReply(json, { toCanonicalInput: (input) => canonicalInput(tools, event, input) }),
        text: (text) => textIsContext.includes(hook.native_event ?? event.native_event ?? '')
            ? { additional_context: [text] }
            : {},
    });
}
