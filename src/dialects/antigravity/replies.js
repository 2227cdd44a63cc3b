/** Outcome → what Antigravity obeys, and the answers of hooks written for it → outcomes. */
import { decodeCommandReply } from '../lib/command-replies.ts';
import { jsonReply, reasonOf, SILENT } from '../lib/hook-specific-output.ts';
import { string } from '../lib/payload.ts';
/** It refuses a tool for which no decision comes: `ask` leaves it to its own rules. */
export function encode(outcome, event) {
    if (event.native_event !== 'PreToolUse')
        return SILENT;
    if (outcome.decision === 'deny' || outcome.stop !== undefined)
        return jsonReply({ decision: 'deny', reason: reasonOf(outcome) });
    if (outcome.decision === 'ask')
        return jsonReply({ decision: 'force_ask', reason: reasonOf(outcome) });
    return jsonReply({ decision: 'ask' });
}
const DECISIONS = {
    deny: 'deny',
    force_ask: 'ask',
    allow: 'allow',
};
export function decode(raw, _event) {
    return decodeCommandReply(raw, {
        json(reply) {
            const decision = DECISIONS[string(reply.decision) ?? ''];
            const reason = string(reply.reason);
            return { ...(decision ? { decision } : {}), ...(decision && reason ? { reason } : {}) };
        },
    });
}
