/** What Codex accepts as a reply. Anything else counts as a failure of the hook, and the tool runs. */
import { isRecord, record, string } from '../lib/payload.ts';
const UNIVERSAL = ['continue', 'stopReason', 'suppressOutput', 'systemMessage'];
/** Members beside the universal ones; those of hookSpecificOutput. */
const MEMBERS = {
    PreToolUse: {
        top: ['decision', 'reason'],
        special: ['permissionDecision', 'permissionDecisionReason', 'updatedInput', 'additionalContext'],
    },
    PostToolUse: { top: ['decision', 'reason'], special: ['additionalContext', 'updatedMCPToolOutput'] },
    PermissionRequest: { special: ['decision'] },
    UserPromptSubmit: { top: ['decision', 'reason'], special: ['additionalContext'] },
    SessionStart: { special: ['additionalContext'] },
    SubagentStart: { special: ['additionalContext'] },
    Stop: { top: ['decision', 'reason'] },
    SubagentStop: { top: ['decision', 'reason'] },
};
/** Why Codex would not take this reply. */
export function invalidReply(json, event) {
    const { top = [], special = [] } = MEMBERS[event] ?? {};
    const unknown = Object.keys(json).find((key) => ![...UNIVERSAL, ...top].includes(key) && !(key === 'hookSpecificOutput' && special.length > 0));
    if (unknown !== undefined)
        return `returned invalid JSON output: unknown member "${unknown}"`;
    const output = json.hookSpecificOutput;
    if (output !== undefined) {
        if (!isRecord(output) || typeof output.hookEventName !== 'string')
            return 'returned invalid JSON output: hookSpecificOutput needs hookEventName';
        const odd = Object.keys(output).find((key) => key !== 'hookEventName' && !special.includes(key));
        if (odd !== undefined)
            return `returned invalid JSON output: unknown member "hookSpecificOutput.${odd}"`;
    }
    if (event === 'PreToolUse')
        return invalidPreToolUse(json);
    if (event === 'PermissionRequest')
        return invalidPermission(record(record(output).decision));
    if (event === 'PostToolUse' && record(output).updatedMCPToolOutput !== undefined)
        return 'returned unsupported updatedMCPToolOutput';
    if (json.decision !== undefined && json.decision !== 'block')
        return 'returned an unsupported decision';
    if (json.decision === 'block' && !string(String(json.reason ?? '').trim()))
        return 'returned decision:block without a non-empty reason';
    return undefined;
}
function invalidPreToolUse(json) {
    const output = record(json.hookSpecificOutput);
    const decision = output.permissionDecision;
    if (json.continue === false || json.stopReason !== undefined)
        return 'returned unsupported continue:false';
    if (json.suppressOutput === true)
        return 'returned unsupported suppressOutput';
    if (json.decision === 'approve')
        return 'returned unsupported decision:approve';
    if (decision === 'ask')
        return 'returned unsupported permissionDecision:ask';
    if (decision !== undefined && decision !== 'allow' && decision !== 'deny')
        return 'returned invalid JSON output';
    if (decision === 'allow' && output.updatedInput === undefined)
        return 'returned unsupported permissionDecision:allow';
    if (decision !== 'allow' && output.updatedInput !== undefined)
        return 'returned updatedInput without permissionDecision:allow';
    if (decision === 'deny' && !string(String(output.permissionDecisionReason ?? '').trim()))
        return 'returned permissionDecision:deny without a non-empty permissionDecisionReason';
    if (json.decision === 'block' && !string(String(json.reason ?? '').trim()))
        return 'returned decision:block without a non-empty reason';
    return undefined;
}
function invalidPermission(decision) {
    const odd = ['updatedInput', 'updatedPermissions'].find((key) => decision[key] !== undefined);
    if (odd !== undefined)
        return `returned unsupported ${odd}`;
    return decision.interrupt === true ? 'returned unsupported interrupt:true' : undefined;
}
