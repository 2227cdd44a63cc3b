/** Qwen Code's tools in canonical words. The first of several with one canonical name stands for it. */
const FILE = { file_path: 'path' };
export const tools = {
    run_shell_command: { name: 'Shell' },
    read_file: { name: 'ReadFile', fields: FILE },
    write_file: { name: 'WriteFile', fields: FILE },
    edit: { name: 'EditFile', fields: FILE },
    grep_search: { name: 'Search' },
    glob: { name: 'FindFiles' },
    list_directory: { name: 'ListFolder' },
    web_fetch: { name: 'WebFetch' },
    web_search: { name: 'WebSearch' },
    agent: { name: 'Subagent' },
    task: { name: 'Subagent' },
    todo_write: { name: 'Todo' },
};
/** Names that its matchers take for a tool, beside the tool's own. */
export const aliases = {
    Bash: ['run_shell_command'],
    Shell: ['run_shell_command'],
    ShellTool: ['run_shell_command'],
    Read: ['read_file'],
    ReadFile: ['read_file'],
    ReadFileTool: ['read_file'],
    Write: ['write_file'],
    WriteFile: ['write_file'],
    WriteFileTool: ['write_file'],
    Edit: ['edit'],
    EditTool: ['edit'],
    Grep: ['grep_search'],
    GrepTool: ['grep_search'],
    Glob: ['glob'],
    GlobTool: ['glob'],
    ListFiles: ['list_directory'],
    WebFetch: ['web_fetch'],
    Task: ['agent', 'task'],
    Agent: ['agent', 'task'],
    TodoWrite: ['todo_write'],
};
