/** The events of VS Code's agent mode: payload → canonical event, and canonical event → payload for hooks written for it. */
import { STOP, SUBAGENT_FIELDS } from '../lib/family-events.ts';
import { decodeEvent, encodeEvent, outputText, string, } from '../lib/payload.ts';
import { tools } from './tools.ts';
export const ID = 'vscode';
export const events = {
    SessionStart: { event: 'session_start' },
    UserPromptSubmit: { event: 'before_agent' },
    PreToolUse: { event: 'before_tool' },
    PostToolUse: {
        event: 'after_tool',
        fields: { tool_response: 'tool_output' },
        encode: (event) => ({ tool_response: outputText(event.tool_output) }),
    },
    Stop: STOP,
    SubagentStart: { event: 'subagent_start', ...SUBAGENT_FIELDS },
    SubagentStop: { event: 'subagent_stop', ...SUBAGENT_FIELDS },
    PreCompact: { event: 'pre_compact' },
};
const words = { id: ID, map: events, tools, base: { timestamp: 'timestamp' } };
export function decode(native, hint) {
    return decodeEvent(words, native, hint);
}
export function encode(event, hook) {
    const payload = encodeEvent(words, event, hook.native_event);
    if (payload !== event.native)
        payload.transcript_path ??= string(event.context?.transcript_path) ?? '';
    return { text: JSON.stringify(payload), value: payload };
}
