/** Outcome → what Auggie obeys, and the answers of hooks written for it → outcomes. */
import { familyDecoder, familyEncoder } from '../lib/family-replies.ts';
import { reasonOf, wholeJson } from '../lib/hook-specific-output.ts';
import { record, string } from '../lib/payload.ts';
import { tools } from './tools.ts';
const stopMembers = (outcome, _event, blocked) => blocked ? { decision: 'block', reason: reasonOf(outcome) } : {};
export const encode = familyEncoder(tools, { Stop: stopMembers });
const family = familyDecoder(tools, ['SessionStart']);
/** `additionalContext` may stand at the top, too. */
export function decode(raw, event, hook) {
    const decoded = family(raw, event, hook);
    const context = raw.exit_code === 0 ? string(record(wholeJson(raw.stdout)).additionalContext) : undefined;
    return context === undefined ? decoded : { outcome: { ...decoded.outcome, additional_context: [context] } };
}
