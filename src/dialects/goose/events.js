/** Goose's events: payload → canonical event, and canonical event → payload for hooks written for it. */
import { STOP } from '../lib/family-events.ts';
import { decodeEvent, encodeEvent, string } from '../lib/payload.ts';
import { canonicalName, tools } from './tools.ts';
export const ID = 'goose';
export const events = {
    SessionStart: { event: 'session_start' },
    SessionEnd: { event: 'session_end' },
    UserPromptSubmit: { event: 'before_agent' },
    PreToolUse: { event: 'before_tool' },
    PostToolUse: { event: 'after_tool', fields: { tool_response: 'tool_output' } },
    PostToolUseFailure: { event: 'after_tool_failure' },
    Stop: STOP,
    // The same calls again, or the same edits.
    PreToolUseResult: {},
    BeforeShellExecution: {},
    AfterShellExecution: {},
    BeforeReadFile: {},
    AfterFileEdit: { event: 'file_changed', fields: { file_path: 'path' }, decode: () => ({ kind: 'change' }) },
};
const words = {
    id: ID,
    map: events,
    tools,
    base: { event: 'event', cwd: 'working_dir', call_id: 'tool_call_id' },
    toolName: canonicalName,
    nativeToolName: (canonical) => canonical.replace(/^mcp__/, ''),
};
export function decode(native, hint) {
    return decodeEvent(words, native, hint);
}
export function encode(event, hook) {
    const payload = encodeEvent(words, event, hook.native_event);
    if (payload !== event.native)
        payload.matcher_context ??= string(payload.tool_name) ?? '';
    return {
        text: JSON.stringify(payload),
        value: payload,
        env: { PLUGIN_ROOT: hook.origin.dir ?? event.work_dir },
    };
}
