/** Auggie's events: payload → canonical event, and canonical event → payload for hooks written for it. */
import { STOP } from '../lib/family-events.ts';
import { decodeEvent, encodeEvent, record, string, } from '../lib/payload.ts';
import { tools } from './tools.ts';
export const ID = 'auggie';
export const events = {
    SessionStart: { event: 'session_start' },
    SessionEnd: { event: 'session_end', fields: { reason: 'exit_reason' } },
    PromptSubmit: { event: 'before_agent', fields: { user_prompt: 'prompt' } },
    PreToolUse: { event: 'before_tool' },
    PostToolUse: { event: 'after_tool', also: ['after_tool_failure'], decode: resultFields },
    Stop: STOP,
    Notification: { event: 'notification' },
};
const words = { id: ID, map: events, tools, base: { session: 'conversation_id', call_id: '' } };
export function decode(native, hint) {
    const payload = record(native);
    const roots = payload.workspace_roots;
    const cwd = string(payload.cwd) ?? (Array.isArray(roots) ? roots[0] : undefined);
    const event = decodeEvent(words, { ...payload, cwd, conversation_id: payload.conversation_id ?? payload.session_id }, hint);
    event.native = native;
    return event;
}
export function encode(event, hook) {
    const payload = encodeEvent(words, event, hook.native_event);
    if (payload !== event.native) {
        payload.workspace_roots ??= [event.work_dir];
        if (payload.tool_name !== undefined)
            payload.is_mcp_tool ??= String(event.tool_name).startsWith('mcp__');
    }
    return {
        text: JSON.stringify(payload),
        value: payload,
        env: {
            AUGMENT_PROJECT_DIR: event.work_dir,
            AUGMENT_CONVERSATION_ID: event.session_id,
            AUGMENT_HOOK_EVENT: hook.native_event ?? event.native_event ?? '',
            AUGMENT_TOOL_NAME: string(payload.tool_name) ?? '',
        },
    };
}
function resultFields({ tool_error }) {
    const error = string(tool_error);
    return error === undefined ? {} : { event_type: 'after_tool_failure', error };
}
