/** The tools of Continue's command line in canonical words. */
export const tools = {
    Bash: { name: 'Shell' },
    Read: { name: 'ReadFile', fields: { filepath: 'path' } },
    Write: { name: 'WriteFile', fields: { filepath: 'path' } },
    Edit: { name: 'EditFile', fields: { file_path: 'path' } },
    MultiEdit: { name: 'EditFile', fields: { file_path: 'path' } },
    Search: { name: 'Search' },
    List: { name: 'ListFolder', fields: { dirpath: 'path' } },
    Fetch: { name: 'WebFetch' },
    Checklist: { name: 'Todo' },
};
