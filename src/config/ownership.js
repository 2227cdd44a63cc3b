/**
 * Hooks and settings that somebody else could rewrite. A project's hooks run from the copy that was trusted, so this
 * is asked of those that need no trust: the person's and the machine's.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
/** Of a hook's own file and folder, and of what it runs there. */
export function unsafeHook({ origin }, home) {
    const scripts = origin.dir === undefined ? [] : namesIn(join(origin.dir, 'scripts'));
    return firstUnsafe([...(origin.dir === undefined ? [] : [origin.dir]), origin.file, ...scripts], home);
}
export function firstUnsafe(paths, home) {
    for (const path of paths) {
        const found = unsafe(path, home);
        if (found)
            return found;
    }
    return undefined;
}
/** Undefined on systems without owners, and for what is not there. */
function unsafe(path, home) {
    const uid = process.getuid?.();
    const stat = uid === undefined ? undefined : statOf(path);
    if (uid === undefined || !stat)
        return undefined;
    if (stat.uid !== 0 && stat.uid !== uid && !(uid === 0 && stat.uid === statOf(home)?.uid))
        return {
            path,
            message: `${path} belongs to another user (${stat.uid}), who could change what runs`,
            fix: `Look at it, then take it over: chown -R ${uid} ${path}`,
        };
    const isSticky = stat.isDirectory() && (stat.mode & 0o1000) !== 0;
    if ((stat.mode & 0o002) !== 0 && !isSticky)
        return {
            path,
            message: `every user of this machine may write to ${path}, and so change what runs`,
            fix: `Look at it, then: chmod ${stat.isDirectory() ? '-R ' : ''}o-w ${path}`,
        };
    return undefined;
}
function namesIn(folder) {
    try {
        return [folder, ...readdirSync(folder).map((name) => join(folder, name))];
    }
    catch {
        return []; // there is none
    }
}
function statOf(path) {
    try {
        return statSync(path, { throwIfNoEntry: false });
    }
    catch {
        return undefined; // whoever reads it says why it cannot be read
    }
}
