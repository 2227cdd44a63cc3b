/** Outcome → what Kiro obeys: exit code 2 with the reason, or plain text for the model. */
import { contextOf, exitReply, reasonOf, SILENT } from '../lib/hook-specific-output.ts';
import { capabilities } from './capabilities.ts';
export function encode(outcome, event) {
    const can = capabilities[event.native_event ?? ''];
    if (can?.deny && (outcome.decision === 'deny' || outcome.stop !== undefined))
        return exitReply(reasonOf(outcome));
    const text = can?.effects.includes('additional_context') ? contextOf(outcome) : undefined;
    return text === undefined ? SILENT : { stdout: `${text}\n`, stderr: '', exit_code: 0 };
}
