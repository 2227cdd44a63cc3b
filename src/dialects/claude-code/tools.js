/** Claude Code's tools in canonical words. The first of several with one canonical name stands for it. */
const PATH = { file_path: 'path' };
export const tools = {
    Bash: { name: 'Shell' },
    Read: { name: 'ReadFile', fields: PATH },
    Write: { name: 'WriteFile', fields: PATH },
    Edit: { name: 'EditFile', fields: PATH },
    MultiEdit: { name: 'EditFile', fields: PATH },
    NotebookEdit: { name: 'EditFile', fields: { notebook_path: 'path', new_source: 'new_string' } },
    Grep: { name: 'Search' },
    Glob: { name: 'FindFiles' },
    LS: { name: 'ListFolder' },
    WebFetch: { name: 'WebFetch' },
    WebSearch: { name: 'WebSearch' },
    Agent: { name: 'Subagent' },
    Task: { name: 'Subagent' },
    TodoWrite: { name: 'Todo' },
};
