/** Kimi Code's events: payload → canonical event, and canonical event → payload for hooks written for it. */
import { decodeEvent, encodeEvent, isRecord, outputText, plainText, string, } from '../lib/payload.ts';
import { tools } from './tools.ts';
export const ID = 'kimi-code';
export const events = {
    PreToolUse: { event: 'before_tool' },
    PostToolUse: { event: 'after_tool', encode: (event) => ({ tool_output: outputText(event.tool_output) }) },
    PostToolUseFailure: {
        event: 'after_tool_failure',
        decode: ({ error }) => ({ error: isRecord(error) ? plainText(error.message) : plainText(error) }),
        encode: (event) => ({ error: { code: 'internal', message: plainText(event.error), retryable: false } }),
    },
    PermissionRequest: { event: 'permission_request' },
    PermissionResult: {
        event: 'permission_granted',
        also: ['permission_denied'],
        decode: ({ decision }) => (decision === 'approved' ? {} : { event_type: 'permission_denied' }),
        encode: (event) => ({ decision: event.event_type === 'permission_denied' ? 'rejected' : 'approved' }),
    },
    UserPromptSubmit: {
        event: 'before_agent',
        decode: ({ prompt }) => ({ prompt: plainText(prompt) }),
        encode: (event) => ({ prompt: [{ type: 'text', text: plainText(event.prompt) }], is_steer: false }),
    },
    UserPromptQueued: {},
    TurnStarted: {},
    Stop: {
        event: 'before_stop',
        decode: () => ({ stop_reason: 'no_tool_calls' }),
        encode: () => ({ stop_hook_active: false }),
    },
    StopFailure: { event: 'stop_failure', fields: { error_type: 'error' } },
    Interrupt: {},
    SessionStart: { event: 'session_start' },
    SessionEnd: { event: 'session_end', fields: { reason: 'exit_reason' } },
    SessionHeartbeat: {},
    SubagentStart: {
        event: 'subagent_start',
        fields: { prompt: 'task_description' },
        decode: subagentFields,
        encode: encodeSubagent,
    },
    SubagentStop: {
        event: 'subagent_stop',
        fields: { response: 'result' },
        decode: subagentFields,
        encode: encodeSubagent,
    },
    TaskStarted: {},
    PreCompact: { event: 'pre_compact' },
    PostCompact: { event: 'post_compact' },
    Notification: { event: 'notification', fields: { body: 'message' } },
};
export const words = { id: ID, map: events, tools, base: { call_id: 'tool_call_id' } };
export function decode(native, hint) {
    return decodeEvent(words, native, hint);
}
export function encode(event, hook) {
    const payload = encodeEvent(words, event, hook.native_event);
    if (payload !== event.native)
        payload.client_type ??= 'kimi_code_cli';
    return { text: JSON.stringify(payload), value: payload };
}
function subagentFields(payload) {
    const name = string(payload.agent_name);
    return name === undefined ? {} : { subagent_name: name, subagent_type: name };
}
function encodeSubagent(event) {
    return { agent_name: string(event.subagent_name) ?? string(event.subagent_type) ?? '' };
}
