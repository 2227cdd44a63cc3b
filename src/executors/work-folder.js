/** Where a hook's program runs: a guard must judge also what happens in a folder that is not there any more. */
import { statSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
/** The folder itself, or the nearest one above it that exists. */
export function workFolder(wanted) {
    if (isFolder(wanted))
        return { path: wanted };
    let path = isAbsolute(wanted) ? dirname(wanted) : '/';
    while (!isFolder(path) && path !== dirname(path))
        path = dirname(path);
    return { path, note: `the working folder ${wanted} does not exist: the hook ran in ${path}` };
}
function isFolder(path) {
    try {
        return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
    }
    catch {
        return false; // whatever the error, nothing can run there
    }
}
