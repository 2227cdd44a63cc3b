/** Grok Build's tools in canonical words. */
export const tools = {
    run_terminal_command: { name: 'Shell' },
    monitor: { name: 'Shell' },
    read_file: { name: 'ReadFile', fields: { target_file: 'path' } },
    write: { name: 'WriteFile', fields: { file_path: 'path' } },
    search_replace: { name: 'EditFile', fields: { file_path: 'path' } },
    grep: { name: 'Search' },
    list_dir: { name: 'ListFolder', fields: { target_directory: 'path' } },
    web_fetch: { name: 'WebFetch' },
    web_search: { name: 'WebSearch' },
    spawn_subagent: { name: 'Subagent' },
    todo_write: { name: 'Todo' },
};
/** What it also takes for its own names in a matcher. */
export const ALIASES = {
    Bash: ['run_terminal_command'],
    Read: ['read_file'],
    Edit: ['search_replace'],
    Write: ['search_replace', 'write'],
    MultiEdit: ['search_replace'],
    Grep: ['grep'],
    Glob: ['list_dir'],
    ListDir: ['list_dir'],
    WebSearch: ['web_search'],
    Task: ['spawn_subagent'],
};
