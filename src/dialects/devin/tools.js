/** Devin CLI's tools in canonical words, by documentation. */
const PATH = { file_path: 'path' };
export const tools = {
    exec: { name: 'Shell' },
    read: { name: 'ReadFile', fields: PATH },
    write: { name: 'WriteFile', fields: PATH },
    edit: { name: 'EditFile', fields: PATH },
    grep: { name: 'Search' },
    glob: { name: 'FindFiles' },
};
