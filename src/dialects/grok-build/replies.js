/** Outcome → what Grok Build obeys, and the answers of hooks written for it → outcomes. */
import { familyDecoder, familyEncoder } from '../lib/family-replies.ts';
import { reasonOf } from '../lib/hook-specific-output.ts';
import { tools } from './tools.ts';
const stopMembers = (outcome, _event, blocked) => blocked ? { decision: 'block', reason: reasonOf(outcome) } : {};
export const encode = familyEncoder(tools, { Stop: stopMembers, SubagentStop: stopMembers });
/** Text that is no JSON is ignored everywhere. */
export const decode = familyDecoder(tools, []);
