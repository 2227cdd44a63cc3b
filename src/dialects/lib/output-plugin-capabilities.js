/** What our plugin can do in agents whose plugins are functions `(input, output)`. */
import { HEARD, outputPluginEvents } from './output-plugin-events.ts';
function can(event, deny, effects = [], note) {
    return { event, deny, effects, ...(note ? { note } : {}) };
}
/** `stop` is what differs: whether a prompt sent when the agent is idle is still answered. */
export function outputPluginCapabilities(id, stop) {
    const heard = {
        'session.created': can('session_start', false, ['additional_context'], 'The context goes with the first prompt.'),
        'chat.message': can('before_agent', true, ['additional_context', 'updated_input'], 'A deny ends the turn before the model is asked. Context is appended to the prompt. Not asked for the prompts of subagents.'),
        'tool.execute.before': can('before_tool', true, ['updated_input', 'additional_context'], 'Context goes with the next result of a tool. An ask and a stop become a deny.'),
        'tool.execute.after': can('after_tool', true, ['updated_output', 'additional_context'], 'Context and the reason of a deny are appended to the result. Does not fire for a tool that failed.'),
        'session.idle': can('before_stop', stop.deny, [], stop.note),
        'session.error': can('stop_failure', false),
        'session.compacted': can('post_compact', false),
        'experimental.session.compacting': can('pre_compact', false, ['additional_context'], 'By documentation. Context becomes part of the prompt for the summary.'),
        'file.edited': can('file_changed', false),
        'permission.asked': can('notification', false, [], 'The question cannot be answered by a plugin.'),
        dispose: can('session_end', false),
    };
    const unheard = Object.keys(outputPluginEvents)
        .filter((name) => !HEARD.includes(name))
        .map((name) => [name, can(`${id}/${name}`, false, [], 'Not listened to.')]);
    return { ...heard, ...Object.fromEntries(unheard) };
}
