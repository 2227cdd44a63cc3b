/** Outcome → what OpenHands obeys, and the answers of hooks written for it → outcomes. */
import { decodeCommandReply } from '../lib/command-replies.ts';
import { reasonAndContext } from '../lib/family-replies.ts';
import { contextOf, given, jsonReply, reasonOf } from '../lib/hook-specific-output.ts';
import { string } from '../lib/payload.ts';
/** Every member stands at the top. */
export function encode(outcome, event) {
    const blocked = outcome.decision === 'deny' || outcome.stop !== undefined;
    if (event.native_event === 'PostToolUse' || event.native_event === 'post_tool_use')
        return jsonReply(given({ additionalContext: reasonAndContext(outcome, blocked) }) ?? {});
    return jsonReply(given({
        decision: blocked ? 'deny' : undefined,
        reason: blocked ? reasonOf(outcome) : undefined,
        additionalContext: contextOf(outcome),
    }) ?? {});
}
export function decode(raw, _event) {
    return decodeCommandReply(raw, {
        json(json) {
            const denied = json.decision === 'deny' || json.continue === false;
            const context = string(json.additionalContext);
            return (given({
                decision: denied ? 'deny' : undefined,
                reason: denied ? (string(json.reason) ?? 'Blocked by a hook that gave no reason.') : undefined,
                additional_context: context === undefined ? undefined : [context],
            }) ?? {});
        },
    });
}
