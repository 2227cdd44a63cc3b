/** Letta Code's events: payload → canonical event, and canonical event → payload for hooks written for it. */
import { decodeEvent, encodeEvent, isRecord, outputText, plainText, record, string, } from '../lib/payload.ts';
import { tools } from './tools.ts';
export const ID = 'letta';
export const events = {
    SessionStart: {
        event: 'session_start',
        decode: ({ is_new_session }) => ({ source: is_new_session === false ? 'resume' : 'startup' }),
        encode: (event) => ({ is_new_session: event.source !== 'resume' }),
    },
    SessionEnd: {
        event: 'session_end',
        fields: { message_count: 'total_steps' },
        decode: ({ duration_ms }) => typeof duration_ms === 'number' ? { duration_seconds: Math.round(duration_ms / 1000) } : {},
    },
    UserPromptSubmit: { event: 'before_agent' },
    PreToolUse: { event: 'before_tool' },
    PostToolUse: {
        event: 'after_tool',
        fields: { tool_result: 'tool_output' },
        encode: (event) => ({ tool_result: toolResult(event) }),
    },
    PostToolUseFailure: {
        event: 'after_tool_failure',
        fields: { error_message: 'error' },
    },
    PermissionRequest: { event: 'permission_request' },
    Stop: { event: 'before_stop', decode: stopFields, encode: encodeStop },
    SubagentStop: { event: 'subagent_stop' },
    PreCompact: { event: 'pre_compact', fields: { context_length: 'token_count' } },
    Notification: { event: 'notification', fields: { level: 'notification_type' } },
};
const words = {
    id: ID,
    map: events,
    tools,
    base: { event: 'event_type', cwd: 'working_directory', call_id: 'tool_call_id' },
};
export function decode(native, hint) {
    const { agent_id, conversation_id, session_id, ...payload } = record(native);
    // Events of tools name only the agent, which outlives its sessions.
    const session = string(session_id) ?? string(conversation_id) ?? string(agent_id) ?? '';
    const event = decodeEvent(words, { ...payload, session_id: session }, hint);
    if (string(agent_id))
        event.context.agent_id = agent_id;
    event.native = native;
    return event;
}
export function encode(event, hook) {
    const payload = encodeEvent(words, event, hook.native_event);
    return {
        text: JSON.stringify(payload),
        value: payload,
        env: {
            LETTA_HOOK_EVENT: hook.native_event ?? event.native_event ?? '',
            LETTA_WORKING_DIR: event.work_dir,
        },
    };
}
function toolResult(event) {
    const output = event.tool_output;
    return isRecord(output) && 'status' in output ? output : { status: 'success', output: outputText(output) };
}
function stopFields(payload) {
    const text = string(payload.assistant_message);
    return { final_message: text === undefined ? null : { role: 'assistant', content: text } };
}
function encodeStop(event) {
    return { assistant_message: plainText(event.final_message) };
}
