/** Outcome → what Windsurf obeys, and the answers of hooks written for it → outcomes. */
import { decodeCommandReply } from '../lib/command-replies.ts';
import { exitReply, reasonOf, SILENT } from '../lib/hook-specific-output.ts';
import { capabilities } from './capabilities.ts';
/** Exit code 2 with the reason is the one word that it knows. */
export function encode(outcome, event) {
    const blocked = outcome.decision === 'deny' || outcome.stop !== undefined;
    return blocked && capabilities[event.native_event ?? '']?.deny ? exitReply(reasonOf(outcome)) : SILENT;
}
export function decode(raw) {
    return decodeCommandReply(raw, { json: () => ({}) });
}
