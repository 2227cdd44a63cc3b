/** OpenHands' events: payload → canonical event, and canonical event → payload for hooks written for it. */
import { eventRow } from '../../spec/event.ts';
import { decodeEvent, encodeEvent, record, string, } from '../lib/payload.ts';
import { toCanonical, toNativeCall, tools } from './tools.ts';
export const ID = 'openhands';
export const events = {
    SessionStart: { event: 'session_start' },
    SessionEnd: { event: 'session_end' },
    UserPromptSubmit: { event: 'before_agent', fields: { message: 'prompt' } },
    PreToolUse: { event: 'before_tool' },
    PostToolUse: { event: 'after_tool', fields: { tool_response: 'tool_output' } },
    Stop: { event: 'before_stop' },
};
const words = {
    id: ID,
    map: events,
    tools,
    base: { event: 'event_type', cwd: 'working_dir', call_id: '' },
};
/** `pre_tool_use` is `PreToolUse`. */
export function eventName(name) {
    const flat = name.replaceAll('_', '').toLowerCase();
    return Object.keys(events).find((event) => event.toLowerCase() === flat) ?? name;
}
export function decode(native, hint) {
    const payload = record(native);
    const said = string(payload.event_type) ?? hint.event;
    const event = decodeEvent(words, { ...payload, ...(said === undefined ? {} : { event_type: eventName(said) }) }, hint);
    event.native = native;
    if (event.native_tool_name !== undefined && eventRow(event.event_type).tool) {
        const call = toCanonical(event.native_tool_name, record(payload.tool_input));
        event.tool_name = call.name;
        event.tool_input = call.input;
    }
    return event;
}
export function encode(event, hook) {
    const payload = encodeEvent(words, event, hook.native_event);
    if (payload !== event.native) {
        payload.metadata ??= {};
        if (typeof event.tool_name === 'string' && payload.tool_name !== undefined) {
            const call = toNativeCall(event.tool_name, record(event.tool_input));
            payload.tool_name = call.name;
            payload.tool_input = call.input;
        }
    }
    return {
        text: JSON.stringify(payload),
        value: payload,
        env: {
            OPENHANDS_PROJECT_DIR: event.work_dir,
            OPENHANDS_SESSION_ID: event.session_id,
            OPENHANDS_EVENT_TYPE: hook.native_event ?? event.native_event ?? '',
            OPENHANDS_TOOL_NAME: string(payload.tool_name) ?? '',
        },
    };
}
