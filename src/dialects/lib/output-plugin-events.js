/** Agents whose plugins are functions `(input, output)` and a stream of events: payloads of our plugin → canonical events. Light. */
import { decodeEvent, plainText, record, string } from './payload.ts';
const EDIT = { filePath: 'path', oldString: 'old_string', newString: 'new_string' };
const PATH = { filePath: 'path' };
export const outputPluginTools = {
    bash: { name: 'Shell' },
    read: { name: 'ReadFile', fields: PATH },
    write: { name: 'WriteFile', fields: PATH },
    edit: { name: 'EditFile', fields: EDIT },
    multiedit: { name: 'EditFile', fields: PATH },
    apply_patch: { name: 'EditFile', fields: { patchText: 'patch' } },
    patch: { name: 'EditFile', fields: { patchText: 'patch' } },
    grep: { name: 'Search' },
    glob: { name: 'FindFiles' },
    list: { name: 'ListFolder' },
    webfetch: { name: 'WebFetch' },
    websearch: { name: 'WebSearch' },
    task: { name: 'Subagent' },
    todowrite: { name: 'Todo' },
};
/** Events that no plugin of ours listens to: they are too many, or say nothing that a hook could use. */
const UNHEARD = [
    'config',
    'chat.params',
    'chat.headers',
    'permission.ask',
    'command.execute.before',
    'shell.env',
    'tool.definition',
    'experimental.chat.messages.transform',
    'experimental.chat.system.transform',
    'experimental.compaction.autocontinue',
    'experimental.text.complete',
    'catalog.updated',
    'file.watcher.updated',
    'integration.updated',
    'message.part.delta',
    'message.part.updated',
    'message.updated',
    'permission.replied',
    'session.deleted',
    'session.diff',
    'session.drained',
    'session.status',
    'session.updated',
];
export const outputPluginEvents = {
    'session.created': { event: 'session_start', also: ['subagent_start'], decode: sessionFields },
    'chat.message': { event: 'before_agent', decode: promptFields },
    'tool.execute.before': { event: 'before_tool' },
    'tool.execute.after': { event: 'after_tool', decode: ({ output }) => ({ tool_output: output }) },
    'session.idle': { event: 'before_stop', also: ['subagent_stop'], decode: idleFields },
    'session.error': { event: 'stop_failure', decode: errorFields },
    'session.compacted': { event: 'post_compact' },
    'experimental.session.compacting': { event: 'pre_compact', decode: () => ({ trigger: 'auto' }) },
    'file.edited': { event: 'file_changed', decode: fileFields },
    'permission.asked': { event: 'notification', decode: permissionFields },
    dispose: { event: 'session_end', decode: () => ({ exit_reason: 'exit' }) },
    ...Object.fromEntries(UNHEARD.map((name) => [name, {}])),
};
export const HEARD = Object.keys(outputPluginEvents).filter((name) => !UNHEARD.includes(name));
export function decodeOutputPlugin(id, native, hint) {
    const { event: name, sessionID, parentID, input, output, ...rest } = record(native);
    const given = record(input);
    const properties = record(given.properties);
    const session = string(sessionID) ?? string(given.sessionID) ?? string(properties.sessionID);
    const payload = {
        ...rest,
        hook_event_name: name,
        // A subagent has a session of its own; hooks think of the one that the person began.
        session_id: string(parentID) ?? session ?? rest.session_id,
        ...(string(parentID) ? { agent_id: session, parent_id: parentID } : {}),
        tool_name: given.tool ?? rest.tool_name,
        tool_input: record(output).args ?? given.args ?? rest.tool_input,
        tool_use_id: given.callID,
        input,
        output,
    };
    const words = { id, map: outputPluginEvents, tools: outputPluginTools };
    const event = decodeEvent(words, payload, hint);
    event.native = native;
    return event;
}
/** The input of the tool as the agent has it. */
export function outputPluginInput(event) {
    const { input, output } = record(event.native);
    return record(output).args ?? record(input).args;
}
function infoOf(payload) {
    return record(record(record(payload.input).properties).info);
}
function sessionFields(payload) {
    const info = infoOf(payload);
    if (payload.agent_id === undefined && info.parentID === undefined)
        return { source: info.id === undefined ? 'resume' : 'startup' };
    const title = string(info.title) ?? '';
    const type = /@([\w-]+) subagent/.exec(title)?.[1];
    return {
        event_type: 'subagent_start',
        task_description: title,
        ...(type === undefined ? {} : { subagent_type: type, subagent_name: type }),
    };
}
function promptFields({ output }) {
    const { parts } = record(output);
    const texts = (Array.isArray(parts) ? parts : []).filter((part) => record(part).type === 'text');
    return { prompt: plainText(texts) };
}
function idleFields(payload) {
    return payload.agent_id === undefined ? { stop_reason: 'no_tool_calls' } : { event_type: 'subagent_stop' };
}
function errorFields({ input }) {
    const error = record(record(record(input).properties).error);
    return { error: string(record(error.data).message) ?? string(error.name) ?? 'unknown' };
}
function fileFields({ input }) {
    return { path: string(record(record(input).properties).file) ?? '', kind: 'change' };
}
function permissionFields({ input }) {
    const { permission, title } = record(record(input).properties);
    return {
        notification_type: 'permission_prompt',
        message: string(title) ?? `Permission needed: ${String(permission ?? '')}`,
    };
}
