/** Letta Code's tools in canonical words. */
const PATH = { file_path: 'path' };
export const tools = {
    Bash: { name: 'Shell' },
    Read: { name: 'ReadFile', fields: PATH },
    Write: { name: 'WriteFile', fields: PATH },
    Edit: { name: 'EditFile', fields: PATH },
    MultiEdit: { name: 'EditFile', fields: PATH },
    Grep: { name: 'Search' },
    Glob: { name: 'FindFiles' },
    LS: { name: 'ListFolder' },
    Agent: { name: 'Subagent' },
    Task: { name: 'Subagent' },
    TodoWrite: { name: 'Todo' },
};
