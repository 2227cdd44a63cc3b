/** Outcome → what Crush obeys, and the answers of hooks written for it → outcomes. */
import { decodeCommandReply } from '../lib/command-replies.ts';
import { contextOf, given, jsonReply, readFamilyReply, reasonOf } from '../lib/hook-specific-output.ts';
import { isRecord, string } from '../lib/payload.ts';
import { canonicalInput, wholeNativeInput } from '../lib/rewrite.ts';
import { tools } from './tools.ts';
/** The exit code that ends the turn. */
const HALT = 49;
export function encode(outcome, event) {
    const blocked = outcome.decision === 'deny' || outcome.stop !== undefined;
    return jsonReply(given({
        halt: outcome.stop === undefined ? undefined : true,
        decision: blocked ? 'deny' : undefined,
        reason: blocked ? reasonOf(outcome) : undefined,
        updated_input: blocked || !outcome.updated_input ? undefined : wholeNativeInput(tools, event, outcome.updated_input),
        context: contextOf(outcome),
    }) ?? {});
}
export function decode(raw, event) {
    if (raw.exit_code === HALT)
        return { outcome: { stop: (raw.stderr ?? '').trim() || 'Halted by a hook.' } };
    return decodeCommandReply(raw, { json: (json) => outcomeOf(json, event) });
}
/** Its own words, and those of another agent that it reads as well. */
function outcomeOf(json, event) {
    const toCanonicalInput = (input) => canonicalInput(tools, event, input);
    const reason = string(json.reason);
    const own = given({
        updated_input: isRecord(json.updated_input) ? toCanonicalInput(json.updated_input) : undefined,
        additional_context: texts(json.context),
        stop: json.halt === true ? (reason ?? 'Halted by a hook.') : undefined,
    });
    return { ...readFamilyReply(json, { toCanonicalInput }), ...own };
}
function texts(value) {
    const list = (Array.isArray(value) ? value : [value]).filter((text) => typeof text === 'string' && text !== '');
    return list.length > 0 ? list : undefined;
}
