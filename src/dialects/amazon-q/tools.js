/** The built-in tools: their names, old and new, and their inputs in canonical words and back. */
import { mcpName, parseMcpName } from '../../spec/tool.ts';
/** One row per tool: its names, the one that hooks are told first, and what it is canonically. */
export const TOOL_GROUPS = [
    { names: ['execute_bash', 'shell', 'execute_cmd'], canonical: ['Shell'] },
    { names: ['fs_read', 'read'], canonical: ['ReadFile', 'ListFolder'] },
    { names: ['fs_write', 'write'], canonical: ['WriteFile', 'EditFile'] },
    { names: ['use_aws', 'aws'], canonical: [] },
    { names: ['grep'], canonical: ['Search'] },
    { names: ['glob'], canonical: ['FindFiles'] },
    { names: ['web_fetch'], canonical: ['WebFetch'] },
    { names: ['web_search'], canonical: ['WebSearch'] },
    { names: ['use_subagent'], canonical: ['Subagent'] },
    { names: ['todo_list', 'todo'], canonical: ['Todo'] },
    { names: ['introspect'], canonical: [] },
    { names: ['report_issue', 'report'], canonical: [] },
    { names: ['knowledge'], canonical: [] },
    { names: ['thinking'], canonical: [] },
];
export const TOOL_TABLE = {
    execute_bash: { name: 'Shell' },
    shell: { name: 'Shell' },
    execute_cmd: { name: 'Shell' },
    fs_read: { name: 'ReadFile' },
    read: { name: 'ReadFile' },
    fs_write: { name: 'WriteFile', fields: { file_text: 'content' } },
    write: { name: 'WriteFile', fields: { file_text: 'content' } },
    grep: { name: 'Search' },
    glob: { name: 'FindFiles' },
    web_fetch: { name: 'WebFetch' },
    web_search: { name: 'WebSearch' },
    use_subagent: { name: 'Subagent' },
    todo_list: { name: 'Todo' },
    todo: { name: 'Todo' },
};
/** A canonical call in this format's words. A name that is already its own passes unchanged. */
export function toNativeCall(name, input) {
    const mcp = parseMcpName(name);
    if (mcp)
        return { name: `@${mcp.server}/${mcp.tool}`, input };
    const group = TOOL_GROUPS.find((row) => row.canonical.includes(name));
    if (!group)
        return { name, input };
    const shape = Object.hasOwn(TO_NATIVE, name) ? TO_NATIVE[name] : (same) => same;
    return { name: group.names[0], input: shape(input) };
}
/** A call of this format in canonical words. */
export function toCanonicalCall(name, input) {
    const mcp = /^@([^/]+)\/(.+)$/.exec(name);
    if (mcp)
        return { name: mcpName(mcp[1], mcp[2]), input };
    if (name === 'fs_read' || name === 'read')
        return readCall(input);
    if (name === 'fs_write' || name === 'write')
        return writeCall(input);
    return { name: Object.hasOwn(TOOL_TABLE, name) ? TOOL_TABLE[name].name : name, input };
}
const TO_NATIVE = {
    ReadFile: (input) => operations(input, 'Line'),
    ListFolder: (input) => operations(input, 'Directory'),
    WriteFile: ({ path, content, ...rest }) => ({ command: 'create', path, file_text: content, ...rest }),
    // `insert` and `append` keep their own word.
    EditFile: ({ command = 'str_replace', path, old_string, new_string, ...rest }) => ({
        command,
        path,
        ...(old_string === undefined ? {} : { old_str: old_string }),
        ...(new_string === undefined ? {} : { new_str: new_string }),
        ...rest,
    }),
};
function operations(input, mode) {
    if (Array.isArray(input.operations))
        return { operations: input.operations };
    const paths = Array.isArray(input.paths) ? input.paths : [input.path];
    return { operations: paths.map((path) => ({ mode, path })) };
}
function readCall(input) {
    const list = Array.isArray(input.operations) ? input.operations : [];
    const first = list.find(isObject);
    const name = first?.mode === 'Directory' ? 'ListFolder' : 'ReadFile';
    return { name, input: first && typeof first.path === 'string' ? { path: first.path, ...input } : input };
}
function writeCall(input) {
    const { command, ...rest } = input;
    if (command === undefined || command === 'create') {
        const { file_text, ...others } = rest;
        return { name: 'WriteFile', input: file_text === undefined ? others : { ...others, content: file_text } };
    }
    const { old_str, new_str, ...others } = rest;
    return {
        name: 'EditFile',
        input: {
            ...(command === 'str_replace' ? {} : { command }),
            ...others,
            ...(old_str === undefined ? {} : { old_string: old_str }),
            ...(new_str === undefined ? {} : { new_string: new_str }),
        },
    };
}
export function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
