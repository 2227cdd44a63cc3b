/** What our extension in pi sends: pi's own events, with the session and the folder beside them. */
import { decodeEvent, plainText, record, string, } from '../lib/payload.ts';
import { tools } from './tools.ts';
export const ID = 'pi';
/** Events that our extension does not listen to: they are too many, or say nothing that a hook could use. */
const UNHEARD = [
    'after_provider_response',
    'agent_before_settle',
    'agent_settled',
    'agent_start',
    'before_agent_start',
    'before_provider_headers',
    'before_provider_request',
    'cache_warming_decision',
    'context',
    'context_with_system',
    'message_end',
    'message_start',
    'message_update',
    'model_select',
    'project_trust',
    'resources_discover',
    'session_before_fork',
    'session_before_switch',
    'session_before_tree',
    'session_compact_failed',
    'session_info_changed',
    'session_tree',
    'thinking_level_select',
    'tool_execution_end',
    'tool_execution_start',
    'tool_execution_update',
    'turn_end',
    'turn_start',
    'ui_prompt_end',
    'ui_prompt_start',
    'user_bash',
];
export const events = {
    session_start: { event: 'session_start', fields: { reason: 'source' } },
    input: { event: 'before_agent', fields: { text: 'prompt' } },
    tool_call: { event: 'before_tool' },
    tool_result: {
        event: 'after_tool',
        also: ['after_tool_failure'],
        fields: { content: 'tool_output' },
        decode: resultFields,
    },
    agent_end: { event: 'before_stop', decode: stopFields },
    session_before_compact: {
        event: 'pre_compact',
        fields: { reason: 'trigger', customInstructions: 'custom_instructions' },
    },
    session_compact: { event: 'post_compact', fields: { reason: 'trigger' } },
    session_shutdown: { event: 'session_end', fields: { reason: 'exit_reason' } },
    ...Object.fromEntries(UNHEARD.map((name) => [name, {}])),
};
export const HEARD = Object.keys(events).filter((name) => !UNHEARD.includes(name));
const words = { id: ID, map: events, tools, base: { event: 'type' } };
export function decode(native, hint) {
    const { toolName, toolCallId, input, sessionId, ...payload } = record(native);
    const flat = {
        ...payload,
        session_id: sessionId ?? payload.session_id,
        tool_name: toolName ?? payload.tool_name,
        tool_input: input ?? payload.tool_input,
        tool_use_id: toolCallId,
    };
    const event = decodeEvent(words, flat, hint);
    event.native = native;
    return event;
}
/** A shell command that exits with another code than 0 counts as a failure. */
function resultFields(payload) {
    if (payload.isError !== true)
        return {};
    return {
        event_type: 'after_tool_failure',
        error: plainText(payload.content),
        tool_output: payload.content,
    };
}
function stopFields({ messages }) {
    const last = record(Array.isArray(messages) ? messages.at(-1) : undefined);
    const text = last.role === 'assistant' ? string(plainText(last.content)) : undefined;
    return {
        stop_reason: string(last.stopReason) ?? 'no_tool_calls',
        final_message: text === undefined ? null : { role: 'assistant', content: text },
    };
}
