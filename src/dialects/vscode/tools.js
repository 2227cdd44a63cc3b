/** The tools of VS Code's agent mode in canonical words. Names change between releases. */
const PATH = { filePath: 'path' };
const EDIT = { filePath: 'path', oldString: 'old_string', newString: 'new_string' };
export const tools = {
    run_in_terminal: { name: 'Shell' },
    runTerminalCommand: { name: 'Shell' },
    read_file: { name: 'ReadFile', fields: PATH },
    readFile: { name: 'ReadFile', fields: PATH },
    create_file: { name: 'WriteFile', fields: PATH },
    createFile: { name: 'WriteFile', fields: PATH },
    replace_string_in_file: { name: 'EditFile', fields: EDIT },
    insert_edit_into_file: { name: 'EditFile', fields: PATH },
    editFiles: { name: 'EditFile', fields: PATH },
    apply_patch: { name: 'EditFile', fields: { input: 'patch' } },
    grep_search: { name: 'Search', fields: { query: 'pattern' } },
    file_search: { name: 'FindFiles', fields: { query: 'pattern' } },
    list_dir: { name: 'ListFolder' },
    fetch_webpage: { name: 'WebFetch' },
    fetch: { name: 'WebFetch' },
    runSubagent: { name: 'Subagent', fields: { agentName: 'subagent_type' } },
    manage_todo_list: { name: 'Todo', fields: { todoList: 'todos' } },
};
