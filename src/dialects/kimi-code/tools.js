/** Kimi Code's tools in canonical words. The first of several with one canonical name stands for it. */
export const tools = {
    Bash: { name: 'Shell' },
    Read: { name: 'ReadFile' },
    Write: { name: 'WriteFile' },
    Edit: { name: 'EditFile' },
    Grep: { name: 'Search' },
    Glob: { name: 'FindFiles' },
    WebFetch: { name: 'WebFetch' },
    FetchURL: { name: 'WebFetch' },
    WebSearch: { name: 'WebSearch' },
    SearchWeb: { name: 'WebSearch' },
    Agent: { name: 'Subagent' },
    TodoList: { name: 'Todo' },
};
