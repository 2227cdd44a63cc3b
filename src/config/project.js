/** The folders whose `.agents` count for a working folder: its own and those above it, to the end of the project. */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PRESENT } from './fingerprint.ts';
import { hasGit } from './repository.ts';
/**
 * From the outermost to the working folder. A project ends at the root of its repository or below the home folder; where
 * there is neither, below the first folder that everybody may write to.
 */
export function foldersOfProject(workDir, home, inputs) {
    const found = [];
    for (let next = workDir;; next = dirname(next)) {
        const isOwn = next === workDir;
        if (!isOwn && (next === home || next === dirname(next) || isOpen(next)))
            break;
        found.unshift(next);
        const isRoot = hasGit(next);
        inputs[join(next, '.git')] = isRoot ? PRESENT : '-';
        if (isRoot || next === home || next === dirname(next))
            break;
    }
    return found;
}
function isOpen(folder) {
    try {
        return (statSync(folder).mode & 0o002) !== 0;
    }
    catch {
        return true; // nobody can look at it, so nothing in it counts
    }
}
