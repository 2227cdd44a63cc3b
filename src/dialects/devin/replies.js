/** Outcome → what Devin CLI obeys, and the answers of hooks written for it → outcomes. */
import { familyDecoder } from '../lib/family-replies.ts';
import { jsonReply, reasonOf } from '../lib/hook-specific-output.ts';
import { tools } from './tools.ts';
export function encode(outcome, event) {
    if (outcome.decision === 'deny' || outcome.stop !== undefined)
        return jsonReply({ decision: 'block', reason: reasonOf(outcome) });
    const approves = event.native_event === 'PermissionRequest' && outcome.decision === 'allow';
    return jsonReply(approves ? { decision: 'approve' } : {});
}
export const decode = familyDecoder(tools, []);
