/** The tools that A3S names, in its own words. The first name of a canonical tool is the one that hooks are told. */
const FILE = { file_path: 'path' };
export const TOOL_TABLE = {
    Bash: { name: 'Shell' },
    Read: { name: 'ReadFile', fields: FILE },
    Write: { name: 'WriteFile', fields: FILE },
    Edit: { name: 'EditFile', fields: FILE },
    Grep: { name: 'Search' },
    Glob: { name: 'FindFiles' },
    LS: { name: 'ListFolder' },
    WebFetch: { name: 'WebFetch' },
    WebSearch: { name: 'WebSearch' },
    Task: { name: 'Subagent' },
    TodoWrite: { name: 'Todo' },
    bash: { name: 'Shell' },
    read: { name: 'ReadFile', fields: FILE },
    write: { name: 'WriteFile', fields: FILE },
    edit: { name: 'EditFile', fields: FILE },
    grep: { name: 'Search' },
    glob: { name: 'FindFiles' },
    ls: { name: 'ListFolder' },
};
/** Every name under which a tool that someone named may come: its own and the canonical one. */
export function namesOf(tool) {
    const table = TOOL_TABLE;
    const canonical = Object.hasOwn(table, tool) ? table[tool].name : tool;
    const natives = Object.keys(table).filter((name) => table[name].name === canonical);
    return [...new Set([tool, canonical, ...natives])];
}
export function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
