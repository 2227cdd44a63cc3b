/** The events of Kiro's hook files (IDE 1.x, command line v3): payload → canonical event. */
import { eventRow } from '../../spec/event.ts';
import { decodeEvent, isRecord, plainText, record, string, } from '../lib/payload.ts';
import { toCanonical, tools } from './tools.ts';
export const ID = 'kiro';
const file = (kind) => ({
    event: 'file_changed',
    fields: { file_path: 'path' },
    decode: () => ({ kind }),
});
export const events = {
    SessionStart: { event: 'session_start' },
    UserPromptSubmit: { event: 'before_agent' },
    PreToolUse: { event: 'before_tool' },
    PostToolUse: { event: 'after_tool', also: ['after_tool_failure'], decode: resultFields },
    Stop: { event: 'before_stop', decode: stopFields },
    PostFileSave: file('change'),
    PostFileCreate: file('create'),
    PostFileDelete: file('delete'),
    PreTaskExec: { event: 'task_created' },
    PostTaskExec: { event: 'task_completed' },
    Manual: {},
};
export function decode(native, hint) {
    const payload = record(native);
    // The file names the trigger; the payload may spell it in another way.
    const name = hint.event ?? string(payload.hook_event_name) ?? '';
    const flat = { ...payload, hook_event_name: name, prompt: payload.prompt ?? hint.env.USER_PROMPT };
    const event = decodeEvent({ id: ID, map: events, tools }, flat, hint);
    event.native = native;
    if (event.native_tool_name !== undefined && eventRow(event.event_type).tool) {
        const call = toCanonical(event.native_tool_name, record(payload.tool_input));
        event.tool_name = call.name;
        event.tool_input = call.input;
    }
    return event;
}
function resultFields({ tool_response }) {
    if (!isRecord(tool_response))
        return tool_response === undefined ? {} : { tool_output: tool_response };
    const { success, result, error } = tool_response;
    const output = { tool_output: result ?? tool_response };
    if (success !== false)
        return output;
    return {
        ...output,
        event_type: 'after_tool_failure',
        error: plainText(error ?? result) || 'The tool failed.',
    };
}
function stopFields({ assistant_response }) {
    const text = string(assistant_response);
    return { final_message: text === undefined ? null : { role: 'assistant', content: text } };
}
