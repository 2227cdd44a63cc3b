/** Antigravity's events: payload → canonical event, and canonical event → payload for hooks written for it. */
import { toNativeTool } from '../../spec/tool.ts';
import { decodeEvent, isRecord, record, string, } from '../lib/payload.ts';
import { tools } from './tools.ts';
export const ID = 'antigravity';
export const events = {
    SessionStart: { event: 'session_start' },
    PreInvocation: { event: 'before_model' },
    PostInvocation: { event: 'after_model' },
    PreToolUse: { event: 'before_tool' },
    PostToolUse: { event: 'after_tool', fields: { toolResult: 'tool_output' } },
    Stop: {
        event: 'before_stop',
        decode: () => ({ stop_reason: 'no_tool_calls', final_message: null }),
    },
};
const words = { id: ID, map: events, tools, base: { session: 'conversationId', call_id: '' } };
/** A payload does not say which event it is: the entry does. */
export function decode(native, hint) {
    const event = decodeEvent(words, isRecord(native) ? flat(native) : native, hint);
    event.native = native;
    return event;
}
function flat({ toolCall, workspacePaths, ...payload }) {
    const { name, args } = record(toolCall);
    const [folder] = Array.isArray(workspacePaths) ? workspacePaths : [];
    return {
        ...payload,
        ...(string(folder) === undefined ? {} : { cwd: folder }),
        ...(toolCall === undefined ? {} : { tool_name: name, tool_input: args ?? {} }),
    };
}
export function encode(event, hook) {
    const isOwn = event.agent === ID && event.native_event === hook.native_event && isRecord(event.native);
    const payload = isOwn ? event.native : payloadOf(event);
    return { text: JSON.stringify(payload), value: payload };
}
function payloadOf(event) {
    const tool = typeof event.tool_name === 'string'
        ? toNativeTool(tools, event.tool_name, record(event.tool_input))
        : undefined;
    return {
        conversationId: event.session_id,
        workspacePaths: [event.work_dir],
        ...(tool ? { toolCall: { name: tool.name, args: tool.input } } : {}),
        ...(event.tool_output === undefined ? {} : { toolResult: event.tool_output }),
    };
}
