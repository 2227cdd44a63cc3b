/** Outcome → what Hermes Agent obeys, and the answers of hooks written for it → outcomes. */
import { decodeCommandReply } from '../lib/command-replies.ts';
import { contextOf, jsonReply, reasonOf } from '../lib/hook-specific-output.ts';
import { string } from '../lib/payload.ts';
/** The words that every version takes; exit code 2 blocks only in newer ones, so it is not used. */
export function encode(outcome, _event) {
    const blocked = outcome.decision === 'deny' || outcome.stop !== undefined;
    const context = contextOf(outcome);
    return jsonReply({
        ...(blocked ? { decision: 'block', reason: reasonOf(outcome) } : {}),
        ...(context === undefined ? {} : { context }),
    });
}
export function decode(raw, _event, hook) {
    return decodeCommandReply(raw, { json: (json) => outcomeOf(json, hook.native_event), anyExit: true });
}
function outcomeOf(json, event) {
    const reason = string(json.reason) ?? string(json.message);
    const isBlocked = json.decision === 'block' ||
        json.action === 'block' ||
        (event === 'pre_verify' && [json.action, json.decision].includes('continue') && reason !== undefined);
    const context = string(json.context);
    return {
        ...(isBlocked ? { decision: 'deny', reason: reason ?? 'Blocked by shell hook.' } : {}),
        ...(context === undefined ? {} : { additional_context: [context] }),
    };
}
