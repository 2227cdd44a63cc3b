/** Cursor's tools in canonical words. */
const PATH = { file_path: 'path' };
export const tools = {
    Shell: { name: 'Shell' },
    Read: { name: 'ReadFile', fields: PATH },
    Write: { name: 'WriteFile', fields: PATH },
    StrReplace: { name: 'EditFile', fields: PATH },
    Edit: { name: 'EditFile', fields: PATH },
    Delete: { name: 'DeleteFile', fields: PATH },
    Grep: { name: 'Search' },
    Glob: { name: 'FindFiles' },
    LS: { name: 'ListFolder' },
    WebFetch: { name: 'WebFetch' },
    WebSearch: { name: 'WebSearch' },
    Task: { name: 'Subagent' },
    TodoWrite: { name: 'Todo' },
};
