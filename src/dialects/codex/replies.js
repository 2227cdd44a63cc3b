/** Outcome → what Codex obeys, and the answers of hooks written for it → outcomes. */
import { failure } from '../../spec/outcome.ts';
import { contextOf, jsonReply, readFamilyReply, reasonOf, SILENT, specific, wholeJson, } from '../lib/hook-specific-output.ts';
import { outputText, record, string } from '../lib/payload.ts';
import { canonicalInput, wholeNativeInput } from '../lib/rewrite.ts';
import { patchOf } from './patch.ts';
import { invalidReply } from './schema.ts';
import { tools } from './tools.ts';
/** Not even a message is taken here. */
const MUTE = new Set(['SessionEnd', 'Interrupt', 'PreModelRequest', 'PostModelRequest']);
/** One unknown member makes Codex run the tool: only members of its schema are printed. */
export function encode(outcome, event) {
    const name = event.native_event ?? '';
    const blocked = outcome.decision === 'deny' || outcome.stop !== undefined;
    if (MUTE.has(name))
        return SILENT;
    return jsonReply({
        ...(outcome.user_message ? { systemMessage: outcome.user_message } : {}),
        ...(MEMBERS[name] ?? haltMembers)(outcome, event, blocked),
    });
}
/** Events whose only brake is `continue: false`. */
const haltMembers = (outcome, _event, blocked) => blocked ? { continue: false, stopReason: reasonOf(outcome) } : {};
const startMembers = (outcome, event, blocked) => ({
    ...haltMembers(outcome, event, blocked),
    ...specific(event.native_event ?? '', { additionalContext: contextOf(outcome) }),
});
const stopMembers = (outcome) => {
    if (outcome.stop !== undefined)
        return { continue: false, stopReason: outcome.stop.trim() || reasonOf(outcome) };
    return outcome.decision === 'deny' ? { decision: 'block', reason: reasonOf(outcome) } : {};
};
const MEMBERS = {
    SessionStart: startMembers,
    SubagentStart: (outcome) => specific('SubagentStart', { additionalContext: contextOf(outcome) }),
    UserPromptSubmit: (outcome, _event, blocked) => ({
        ...(outcome.stop === undefined && blocked ? { decision: 'block', reason: reasonOf(outcome) } : {}),
        ...(outcome.stop === undefined
            ? {}
            : { continue: false, stopReason: outcome.stop.trim() || reasonOf(outcome) }),
        ...specific('UserPromptSubmit', { additionalContext: contextOf(outcome) }),
    }),
    PreToolUse: preToolMembers,
    PermissionRequest: (outcome, _event, blocked) => {
        if (blocked)
            return specific('PermissionRequest', { decision: { behavior: 'deny', message: reasonOf(outcome) } });
        return outcome.decision === 'allow'
            ? specific('PermissionRequest', { decision: { behavior: 'allow' } })
            : {};
    },
    // The reason of a block is what the model reads in place of the output.
    PostToolUse: (outcome, _event, blocked) => {
        const output = outcome.updated_output === undefined ? undefined : outputText(outcome.updated_output);
        const texts = [blocked ? reasonOf(outcome) : undefined, output].filter((text) => text !== undefined);
        return {
            ...(texts.length > 0 ? { decision: 'block', reason: texts.join('\n\n').trim() || '(no output)' } : {}),
            ...specific('PostToolUse', { additionalContext: contextOf(outcome) }),
        };
    },
    SubagentStop: stopMembers,
    Stop: stopMembers,
};
function preToolMembers(outcome, event, blocked) {
    const context = contextOf(outcome);
    const deny = (reason) => specific('PreToolUse', {
        permissionDecision: 'deny',
        permissionDecisionReason: reason,
        additionalContext: context,
    });
    // Never an ask and never a bare allow: Codex takes both for mistakes and runs the tool.
    if (blocked || outcome.decision === 'ask')
        return deny(reasonOf(outcome));
    if (!outcome.updated_input)
        return specific('PreToolUse', { additionalContext: context });
    const input = nativeInput(outcome.updated_input, event);
    if (input === undefined)
        return deny('A hook rewrote this call in a way that a patch cannot carry, so it is refused. Send the change that the hook wants as a new patch.');
    return specific('PreToolUse', {
        permissionDecision: 'allow',
        updatedInput: input,
        additionalContext: context,
    });
}
/** Shell and patch take `command` alone; a patch with another path in a field beside it would run as it was. */
function nativeInput(updated, event) {
    const whole = wholeNativeInput(tools, event, updated);
    const name = event.native_tool_name;
    if (name !== 'Bash' && name !== 'apply_patch')
        return whole;
    if (typeof whole.command !== 'string')
        return undefined;
    if (name === 'Bash')
        return { command: whole.command };
    const before = record(event.tool_input);
    const isCarried = Object.entries(updated).every(([key, value]) => key === 'patch' || before[key] === value);
    return isCarried ? { command: whole.command } : undefined;
}
/** Plain output of these is context for the model. */
const TEXT_IS_CONTEXT = new Set(['SessionStart', 'UserPromptSubmit']);
const JSON_ONLY = new Set(['Stop', 'SubagentStop', 'PreCompact', 'PostCompact']);
export function decode(raw, event, hook) {
    const name = hook.native_event ?? event.native_event ?? '';
    const stderr = string((raw.stderr ?? '').trim());
    if (raw.exit_code === 2)
        return stderr === undefined
            ? failed('exited with code 2 but did not write a blocking reason to stderr', 2)
            : { outcome: { decision: 'deny', reason: stderr } };
    if (raw.exit_code !== 0)
        return failed(`exited with code ${raw.exit_code ?? raw.signal}`, raw.exit_code ?? null);
    const text = (raw.stdout ?? '').trim();
    if (text === '')
        return { outcome: {} };
    const json = wholeJson(text);
    if (!json) {
        if (text.startsWith('{') || JSON_ONLY.has(name))
            return failed('returned invalid JSON output', 0);
        return { outcome: TEXT_IS_CONTEXT.has(name) ? { additional_context: [text] } : {} };
    }
    const invalid = invalidReply(json, name);
    if (invalid !== undefined)
        return failed(invalid, 0);
    const outcome = readFamilyReply(json, { toCanonicalInput: (input) => canonicalInput(tools, event, input) });
    if (outcome.decision === 'allow' && name !== 'PermissionRequest')
        delete outcome.decision;
    return carried(outcome, event);
}
/** A rewritten patch says nothing to an agent that edits in another way. */
function carried(outcome, event) {
    const input = record(event.tool_input);
    const wasShownAsPatch = !('patch' in input) && patchOf(String(event.tool_name), input) !== undefined;
    if (!outcome.updated_input || !wasShownAsPatch)
        return { outcome };
    const { updated_input: _, ...rest } = outcome;
    const reason = 'A hook rewrote this change as a patch, which cannot be carried out here.';
    return { outcome: { ...rest, decision: 'deny', reason } };
}
function failed(message, code) {
    return { outcome: failure(`hook ${message}`, { retryable: false, exit_code: code }) };
}
