/** Kiro's tools in canonical words, under their older and newer names. */
import { toCanonicalTool } from '../../spec/tool.ts';
import { record, string } from '../lib/payload.ts';
const WRITE = { file_text: 'content', text: 'content' };
const EDIT = {
    old_str: 'old_string',
    new_str: 'new_string',
    oldStr: 'old_string',
    newStr: 'new_string',
};
export const tools = {
    execute_bash: { name: 'Shell' },
    shell: { name: 'Shell' },
    execute_cmd: { name: 'Shell' },
    fs_read: { name: 'ReadFile' },
    read: { name: 'ReadFile' },
    fs_write: { name: 'WriteFile', fields: WRITE },
    write: { name: 'WriteFile', fields: WRITE },
    str_replace: { name: 'EditFile', fields: EDIT },
    grep: { name: 'Search' },
    glob: { name: 'FindFiles' },
    web_fetch: { name: 'WebFetch' },
    web_search: { name: 'WebSearch' },
    use_subagent: { name: 'Subagent' },
    todo_list: { name: 'Todo' },
};
const WRITERS = new Set(['fs_write', 'write']);
const READERS = new Set(['fs_read', 'read']);
/** A write may be an edit, a read may be of several files; `@server/tool` is a tool of an MCP server. */
export function toCanonical(name, input) {
    const [, server, tool] = /^@([^/]+)\/(.+)$/.exec(name) ?? [];
    if (server !== undefined)
        return { name: `mcp__${server}__${tool}`, input };
    if (WRITERS.has(name) && input.command !== undefined && input.command !== 'create')
        return toCanonicalTool({ [name]: { name: 'EditFile', fields: EDIT } }, name, input);
    const call = toCanonicalTool(tools, name, input);
    if (!READERS.has(name) || call.input.path !== undefined)
        return call;
    const path = Array.isArray(input.operations) ? string(record(input.operations[0]).path) : undefined;
    return path === undefined ? call : { name: call.name, input: { path, ...call.input } };
}
