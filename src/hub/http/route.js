/** A call of a person: by the command line, the page, or a program of theirs. */
export function get(path, summary, handle, query = []) {
    return { method: 'GET', path, role: 'viewer', summary, query, handle: handle };
}
/** Changes are for approvers or admins. */
export function post(path, role, summary, body, handle) {
    return { method: 'POST', path, role, summary, body, handle: handle };
}
export function remove(path, summary, handle) {
    return { method: 'DELETE', path, role: 'admin', summary, handle: handle };
}
/** At most so many rows, as the caller says. */
export function limitIn(url, usual, most) {
    return Math.max(1, Math.min(Number(url.searchParams.get('limit') ?? usual) || usual, most));
}
