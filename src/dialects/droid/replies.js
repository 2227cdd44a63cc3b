/** Outcome → what Droid obeys, and the answers of hooks written for it → outcomes. */
import { contextMembers, familyDecoder, familyEncoder } from '../lib/family-replies.ts';
import { reasonOf } from '../lib/hook-specific-output.ts';
import { tools } from './tools.ts';
const stopMembers = (outcome, _event, blocked) => blocked ? { decision: 'block', reason: reasonOf(outcome) } : {};
export const encode = familyEncoder(tools, {
    PostToolUse: contextMembers,
    Stop: stopMembers,
    SubagentStop: stopMembers,
});
export const decode = familyDecoder(tools, ['SessionStart', 'UserPromptSubmit']);
