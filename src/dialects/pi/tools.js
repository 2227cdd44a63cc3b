/** pi's tools in canonical words. */
export const tools = {
    bash: { name: 'Shell' },
    powershell: { name: 'Shell' },
    read: { name: 'ReadFile' },
    write: { name: 'WriteFile' },
    edit: { name: 'EditFile' },
    grep: { name: 'Search' },
    find: { name: 'FindFiles' },
    ls: { name: 'ListFolder' },
};
