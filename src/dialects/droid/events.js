/** Droid's events: payload → canonical event, and canonical event → payload for hooks written for it. */
import { STOP, SUBAGENT_FIELDS } from '../lib/family-events.ts';
import { decodeEvent, encodeEvent, outputText, string, } from '../lib/payload.ts';
import { tools } from './tools.ts';
export const ID = 'droid';
export const events = {
    SessionStart: { event: 'session_start' },
    SessionEnd: {
        event: 'session_end',
        fields: { reason: 'exit_reason', message_count: 'total_steps' },
    },
    UserPromptSubmit: { event: 'before_agent' },
    PreToolUse: { event: 'before_tool' },
    PostToolUse: {
        event: 'after_tool',
        fields: { tool_response: 'tool_output' },
        encode: (event) => ({ tool_response: outputText(event.tool_output) }),
    },
    Stop: STOP,
    SubagentStop: { event: 'subagent_stop', ...SUBAGENT_FIELDS },
    PreCompact: { event: 'pre_compact' },
    Notification: { event: 'notification' },
};
const words = { id: ID, map: events, tools, base: { call_id: '' } };
export function decode(native, hint) {
    return decodeEvent(words, native, hint);
}
export function encode(event, hook) {
    const payload = encodeEvent(words, event, hook.native_event);
    if (payload !== event.native) {
        payload.transcript_path ??= string(event.context?.transcript_path) ?? '';
        payload.permission_mode ??= string(event.context?.permission_mode) ?? 'off';
    }
    return {
        text: JSON.stringify(payload),
        value: payload,
        env: {
            FACTORY_PROJECT_DIR: event.work_dir,
            DROID_PROJECT_DIR: event.work_dir,
            CLAUDE_PROJECT_DIR: event.work_dir,
        },
    };
}
