/** Outcome → what VS Code's agent mode obeys, and the answers of hooks written for it → outcomes. */
import { familyDecoder, familyEncoder } from '../lib/family-replies.ts';
import { reasonOf, specific, wholeJson } from '../lib/hook-specific-output.ts';
import { record, string } from '../lib/payload.ts';
import { tools } from './tools.ts';
/** Here the block stands inside `hookSpecificOutput`. A stop must not be beaten by it. */
const stopMembers = (outcome, event, blocked) => blocked && outcome.stop === undefined
    ? specific(event.native_event ?? '', { decision: 'block', reason: reasonOf(outcome) })
    : {};
/** Not documented as a block of its own: the prompt goes no further. */
const promptMembers = (outcome, _event, blocked) => blocked ? { continue: false, stopReason: reasonOf(outcome) } : {};
export const encode = familyEncoder(tools, {
    Stop: stopMembers,
    SubagentStop: stopMembers,
    UserPromptSubmit: promptMembers,
});
const family = familyDecoder(tools, []);
export function decode(raw, event, hook) {
    const { decision, reason } = record(record(wholeJson(raw.stdout)).hookSpecificOutput);
    if (raw.exit_code === 0 && decision === 'block')
        return {
            outcome: { decision: 'deny', reason: string(reason) ?? 'Blocked by a hook that gave no reason.' },
        };
    return family(raw, event, hook);
}
