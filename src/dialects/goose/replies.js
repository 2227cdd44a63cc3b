/** Outcome → what Goose obeys, and the answers of hooks written for it → outcomes. */
import { decodeCommandReply } from '../lib/command-replies.ts';
import { jsonReply, reasonOf, SILENT } from '../lib/hook-specific-output.ts';
import { string } from '../lib/payload.ts';
const BLOCKING = new Set(['PreToolUse', 'Stop']);
/** stdout is a decision or empty: anything else counts as none. */
export function encode(outcome, event) {
    const blocked = outcome.decision === 'deny' || outcome.stop !== undefined;
    if (!blocked || !BLOCKING.has(event.native_event ?? ''))
        return SILENT;
    return jsonReply({ decision: 'block', reason: reasonOf(outcome) });
}
export function decode(raw, event, hook) {
    const name = hook.native_event ?? event.native_event ?? '';
    return decodeCommandReply(raw, {
        anyExit: true,
        json: (json) => json.decision === 'block' && BLOCKING.has(name)
            ? { decision: 'deny', reason: string(json.reason) ?? 'Blocked by a hook that gave no reason.' }
            : {},
    });
}
