/** Fields of events that several agents name alike. Light. */
import { plainText, string } from './payload.ts';
/** A stop with the last words of the agent in `last_assistant_message`, if it says them. */
export const STOP = {
    event: 'before_stop',
    decode: stopFields,
    encode: (event) => ({
        stop_hook_active: event.context?.stop_hook_active === true,
        ...(event.final_message ? { last_assistant_message: plainText(event.final_message) } : {}),
    }),
};
export const SUBAGENT_FIELDS = {
    decode: subagentFields,
    encode: encodeSubagent,
};
export function stopFields(payload) {
    const text = string(payload.last_assistant_message);
    return {
        stop_reason: string(payload.stop_reason) ?? 'no_tool_calls',
        final_message: text === undefined ? null : { role: 'assistant', content: text },
    };
}
/** For agents that always tell the last words. */
export function encodeStop(event) {
    return {
        stop_hook_active: event.context?.stop_hook_active === true,
        last_assistant_message: plainText(event.final_message),
    };
}
export function subagentFields(payload) {
    const type = string(payload.agent_type);
    return type === undefined ? {} : { subagent_type: type, subagent_name: type };
}
export function encodeSubagent(event) {
    return {
        agent_id: string(event.context?.subagent_id) ?? '',
        agent_type: string(event.subagent_type) ?? string(event.subagent_name) ?? '',
    };
}
