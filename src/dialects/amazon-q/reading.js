/** A file that is being read, and how to say what is wrong in it. */
export function report(reading, place, message, fix) {
    const { path, line, hook, level = 'error' } = place;
    reading.loaded.problems.push({
        level,
        file: reading.source.path,
        line: line ?? reading.document.line(path ?? []),
        ...(path && path.length > 0 ? { field: fieldName(path) } : {}),
        ...(hook === undefined ? {} : { hook }),
        message,
        fix,
    });
}
function fieldName(path) {
    return path
        .map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`))
        .join('');
}
