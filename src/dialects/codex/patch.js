/** Writing, editing and deleting a file as the patch that Codex would send. */
export function patchOf(tool, input) {
    const path = input.path;
    if (typeof input.patch === 'string')
        return input.patch;
    if (typeof path !== 'string')
        return undefined;
    if (tool === 'DeleteFile')
        return wrap(`*** Delete File: ${path}`);
    if (tool === 'WriteFile')
        return wrap(`*** Add File: ${path}`, ...lines('+', input.content));
    if (tool !== 'EditFile')
        return undefined;
    const edits = Array.isArray(input.edits) ? input.edits : [input];
    const hunks = edits.flatMap((edit) => [
        '@@',
        ...lines('-', edit.old_string),
        ...lines('+', edit.new_string),
    ]);
    return wrap(`*** Update File: ${path}`, ...hunks);
}
function wrap(...body) {
    return ['*** Begin Patch', ...body, '*** End Patch', ''].join('\n');
}
function lines(mark, text) {
    if (typeof text !== 'string' || text === '')
        return [];
    return text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => mark + line);
}
