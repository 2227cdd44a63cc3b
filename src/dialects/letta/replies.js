/** Outcome → what Letta Code obeys, and the answers of hooks written for it → outcomes. */
import { decodeCommandReply } from '../lib/command-replies.ts';
import { contextMembers } from '../lib/family-replies.ts';
import { contextOf, exitReply, jsonReply, reasonOf, SILENT } from '../lib/hook-specific-output.ts';
import { record, string } from '../lib/payload.ts';
/** After a tool the words are told without our command line when they come as context. */
const FEEDBACK = new Set(['PostToolUse', 'PostToolUseFailure']);
/** Plain output of these is context for the model. */
const TEXT_IS_CONTEXT = new Set(['SessionStart', 'UserPromptSubmit']);
/** Exit code 2 is the one brake: `permissionDecision` is not looked at. */
export function encode(outcome, event) {
    const name = event.native_event ?? '';
    const blocked = outcome.decision === 'deny' || outcome.stop !== undefined;
    if (FEEDBACK.has(name))
        return jsonReply(contextMembers(outcome, event, blocked));
    if (blocked)
        return exitReply(reasonOf(outcome));
    const text = TEXT_IS_CONTEXT.has(name) ? contextOf(outcome) : undefined;
    return text === undefined ? SILENT : { stdout: `${text}\n`, stderr: '', exit_code: 0 };
}
export function decode(raw, event, hook) {
    const name = hook.native_event ?? event.native_event ?? '';
    const isText = TEXT_IS_CONTEXT.has(name);
    const context = (text) => ({ additional_context: [text] });
    return decodeCommandReply(raw, {
        json: (json) => (isText ? context((raw.stdout ?? '').trim()) : contextIn(json)),
        text: (text) => (isText ? context(text) : {}),
    });
}
/** Context counts after a tool; a decision in JSON counts nowhere. */
function contextIn(json) {
    const context = string(record(json.hookSpecificOutput).additionalContext) ?? string(json.additionalContext);
    return context === undefined ? {} : { additional_context: [context] };
}
