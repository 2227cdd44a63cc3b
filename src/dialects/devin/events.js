/** Devin CLI's events: payload → canonical event, and canonical event → payload for hooks written for it. */
import { STOP } from '../lib/family-events.ts';
import { decodeEvent, encodeEvent, isRecord, outputText, } from '../lib/payload.ts';
import { tools } from './tools.ts';
export const ID = 'devin';
export const events = {
    SessionStart: { event: 'session_start' },
    SessionEnd: { event: 'session_end', fields: { reason: 'exit_reason' } },
    UserPromptSubmit: { event: 'before_agent' },
    PreToolUse: { event: 'before_tool' },
    PostToolUse: {
        event: 'after_tool',
        also: ['after_tool_failure'],
        decode({ tool_response: response }) {
            if (!isRecord(response))
                return { tool_output: response };
            const failed = response.success === false;
            return {
                tool_output: response.output ?? response.error,
                ...(failed ? { event_type: 'after_tool_failure', error: String(response.error ?? '') } : {}),
            };
        },
        encode: ({ event_type, tool_output, error }) => {
            const success = event_type !== 'after_tool_failure';
            return {
                tool_response: { success, output: outputText(tool_output), error: success ? null : (error ?? '') },
            };
        },
    },
    PermissionRequest: { event: 'permission_request' },
    Stop: STOP,
};
const words = { id: ID, map: events, tools, base: { call_id: '' } };
export function decode(native, hint) {
    return decodeEvent(words, native, { ...hint, cwd: hint.env.DEVIN_PROJECT_DIR || hint.cwd });
}
export function encode(event, hook) {
    const payload = encodeEvent(words, event, hook.native_event);
    return { text: JSON.stringify(payload), value: payload, env: { DEVIN_PROJECT_DIR: event.work_dir } };
}
