/** Copilot CLI's tools in canonical words, under its own names and under those that events in PascalCase use. */
const EDIT = { old_str: 'old_string', new_str: 'new_string' };
const CREATE = { file_text: 'content' };
const TASK = { agent_type: 'subagent_type' };
export const ownTools = {
    bash: { name: 'Shell' },
    powershell: { name: 'Shell' },
    view: { name: 'ReadFile' },
    create: { name: 'WriteFile', fields: CREATE },
    edit: { name: 'EditFile', fields: EDIT },
    apply_patch: { name: 'EditFile', fields: { input: 'patch' } },
    grep: { name: 'Search' },
    glob: { name: 'FindFiles' },
    web_fetch: { name: 'WebFetch' },
    web_search: { name: 'WebSearch' },
    task: { name: 'Subagent', fields: TASK },
    update_todo: { name: 'Todo' },
};
/** Other names, the same arguments. */
export const pascalTools = {
    Bash: { name: 'Shell' },
    Read: { name: 'ReadFile' },
    Write: { name: 'WriteFile', fields: CREATE },
    Edit: { name: 'EditFile', fields: EDIT },
    Grep: { name: 'Search' },
    Glob: { name: 'FindFiles' },
    WebFetch: { name: 'WebFetch' },
    Task: { name: 'Subagent', fields: TASK },
};
export const tools = { ...ownTools, ...pascalTools };
