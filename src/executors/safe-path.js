/**
 * Which program a bare name stands for. The PATH of an agent may come from a file of the project it works in, so
 * folders of a project, and those that others may write to, do not choose the interpreter of a guard.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { now } from '../fast/clock.ts';
/** Where systems keep their own programs. Looked into last, so that a PATH without them still finds a shell. */
export const SYSTEM_FOLDERS = [
    '/usr/local/bin',
    '/usr/bin',
    '/bin',
    '/usr/local/sbin',
    '/usr/sbin',
    '/sbin',
    '/opt/homebrew/bin',
];
/** The folders of a PATH that may be trusted with the name of an interpreter, in their order, then the system's. */
export function safeFolders(path, projects) {
    const given = (path ?? '').split(delimiter).filter((folder) => isSafe(folder, projects));
    return [...new Set([...given, ...SYSTEM_FOLDERS])];
}
/** The program's full path; undefined where no safe folder has it. A name with a slash stands for itself. */
export function findProgram(name, folders) {
    if (name.includes('/') || name.includes(sep))
        return name;
    return folders.map((folder) => join(folder, name)).find(isProgram);
}
/** May a program of this folder run as part of a guard? */
export function isSafe(folder, projects) {
    if (!isAbsolute(folder) || folder.split(/[\\/]/).includes('node_modules'))
        return false;
    if (projects.some((project) => project !== '/' && isBelow(folder, project)))
        return false;
    return process.platform === 'win32' || isOurs(folder);
}
/** Of the user or of root, and so are all folders above it, unless what lies in them is protected (as in /tmp). */
function isOurs(folder) {
    const known = ours.get(folder);
    if (known && now() - known.at < CACHE_MS)
        return known.isOurs;
    const found = look(folder);
    if (ours.size > MOST_KNOWN)
        ours.clear();
    ours.set(folder, { isOurs: found, at: now() });
    return found;
}
/** Rights of folders on PATH change rarely; programs are looked for at every event. In milliseconds. */
const CACHE_MS = 5000;
const MOST_KNOWN = 500;
const ours = new Map();
function look(folder) {
    const uid = process.getuid?.();
    for (let next = folder, isLast = true;; next = dirname(next), isLast = false) {
        let stat;
        try {
            stat = statSync(next);
        }
        catch {
            return false; // it is not there, or nobody may look
        }
        const isForeign = stat.uid !== 0 && stat.uid !== uid;
        const isOpen = (stat.mode & 0o002) !== 0 && (isLast || (stat.mode & 0o1000) === 0);
        if (isForeign || isOpen)
            return false;
        if (next === dirname(next))
            return true;
    }
}
function isProgram(file) {
    try {
        if (!statSync(file).isFile())
            return false;
        accessSync(file, constants.X_OK);
        return true;
    }
    catch {
        return false;
    }
}
function isBelow(path, folder) {
    return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
