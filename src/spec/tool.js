/** Canonical tools: `Shell` is the shell tool everywhere, whatever an agent calls it. */
export const TOOLS = {
    Shell: { fields: ['command'] },
    ReadFile: { fields: ['path'] },
    WriteFile: { fields: ['path', 'content'] },
    EditFile: { fields: ['path', 'old_string', 'new_string', 'edits', 'patch', 'paths'] },
    DeleteFile: { fields: ['path'] },
    Search: { fields: ['pattern', 'path'] },
    FindFiles: { fields: ['pattern', 'path'] },
    ListFolder: { fields: ['path'] },
    WebFetch: { fields: ['url'] },
    WebSearch: { fields: ['query'] },
    Subagent: { fields: ['prompt', 'subagent_type'] },
    Todo: { fields: ['todos'] },
};
/** Canonical fields that are not texts. A command is a line, or a list of words. */
const NOT_TEXT = {
    command: (value) => isTextList(value) || typeof value === 'string',
    edits: Array.isArray,
    paths: Array.isArray,
    todos: Array.isArray,
};
/** What is wrong with the fields of a canonical tool that are there; undefined for other tools. Nobody could judge such a call. */
export function wrongField(tool, input, isLongText = () => false) {
    const fields = Object.hasOwn(TOOLS, tool) ? TOOLS[tool].fields : [];
    for (const field of fields) {
        if (isLongText(field))
            continue; // which is not read for this
        const value = input[field];
        if (value === undefined)
            continue;
        const fits = NOT_TEXT[field] ?? ((given) => typeof given === 'string');
        if (!fits(value))
            return `\`${field}\` of ${tool} is ${kindOf(value)}`;
    }
    return undefined;
}
function isTextList(value) {
    return Array.isArray(value) && value.every((word) => typeof word === 'string');
}
/** A value's type in words: values themselves may be secrets. */
export function kindOf(value) {
    if (value === null || value === undefined)
        return String(value);
    if (Array.isArray(value))
        return 'a list';
    return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
/** MCP tools have one canonical spelling, `mcp__server__tool`. */
export function mcpName(server, tool) {
    return `mcp__${server}__${tool}`;
}
export function parseMcpName(name) {
    const found = /^mcp__(.+?)__(.+)$/.exec(name);
    return found ? { server: found[1], tool: found[2] } : undefined;
}
/** A native call in canonical words. Fields without a canonical name stay as they are. */
export function toCanonicalTool(table, name, input, copy = copyField) {
    const row = Object.hasOwn(table, name) ? table[name] : undefined;
    return row ? { name: row.name, input: renameFields(input, row.fields ?? {}, copy) } : { name, input };
}
/** A rewritten canonical input back in the agent's own fields. */
export function toNativeInput(table, nativeName, input) {
    const row = Object.hasOwn(table, nativeName) ? table[nativeName] : undefined;
    if (!row?.fields)
        return input;
    const back = Object.fromEntries(Object.entries(row.fields).map(([native, canonical]) => [canonical, native]));
    return renameFields(input, back);
}
/** A canonical tool in a format's own words: the first native tool with that canonical name. */
export function toNativeTool(table, name, input) {
    const native = Object.keys(table).find((key) => table[key].name === name);
    return native === undefined ? { name, input } : { name: native, input: toNativeInput(table, native, input) };
}
const PATH_FIELDS = [
    'path',
    'file_path',
    'filePath',
    'filepath',
    'notebook_path',
    'absolute_path',
    'directory_path',
    'dir_path',
];
const PATH_LISTS = ['paths', 'files', 'file_paths', 'filePaths', 'operations', 'edits'];
/** Every path that a tool's input names. */
export function touchedPaths(input) {
    const found = [];
    for (const field of PATH_FIELDS) {
        const value = input[field];
        if (typeof value === 'string')
            found.push(value);
    }
    for (const field of PATH_LISTS) {
        const value = input[field];
        if (!Array.isArray(value))
            continue;
        for (const item of value) {
            if (typeof item === 'string')
                found.push(item);
            else if (typeof item === 'object' && item !== null)
                found.push(...touchedPaths(item));
        }
    }
    for (const field of ['patch', 'input', 'diff']) {
        const text = input[field];
        if (typeof text !== 'string')
            continue;
        for (const line of text.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+?)\s*$|^\*\*\* Move to: (.+?)\s*$/gm))
            found.push((line[1] ?? line[2]));
        for (const line of text.matchAll(/^(?:---|\+\+\+) (?:[ab]\/)?(?!\/dev\/null)(.+?)(?:\t.*)?$/gm))
            found.push(line[1]);
    }
    return [...new Set(found)];
}
const copyField = (from, field, to, name) => {
    const value = from[field];
    // As a plain assignment `__proto__` would change what the copy inherits.
    Object.defineProperty(to, name, { value, writable: true, enumerable: true, configurable: true });
};
function renameFields(input, names, copy = copyField) {
    const out = {};
    for (const key of Object.keys(input))
        copy(input, key, out, Object.hasOwn(names, key) ? names[key] : key);
    return out;
}
