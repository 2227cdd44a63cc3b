/** Cheap proof that a file is the one we read: identity, size and change time. Contents cannot change without it. */
import { lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
/** Changes closer than this to the moment of reading could hide behind the clock's granularity. */
export const RACY_MS = 60;
export function fingerprint(path) {
    const stat = statOf(path);
    return stat ? `${stat.ino}:${stat.size}:${stat.ctimeMs}` : '-';
}
/** Of a file that could not be read: nothing is equal to it, so that it is read again each time. */
export const NEVER_CURRENT = '?';
/** Of what only has to be there: its content, and what lies in it, may change. */
export const PRESENT = '+';
/** Was everything that a plan depends on read? */
export function isCacheable(known) {
    return !Object.values(known).includes(NEVER_CURRENT);
}
/** Asked at every event for every hook, so nothing is built that only a comparison needs. */
export function isCurrent(known) {
    const looks = prepared.get(known);
    if (looks)
        return looks.present.every(isUnchanged) && looks.absent.every(isStillAbsent) && looks.there.every(statOf);
    // Most processes ask once: what only pays later is left to the second time.
    if (!asked.has(known))
        asked.add(known);
    else
        prepared.set(known, prepare(known));
    for (const path in known)
        if (!isSameAs(path, known[path]))
            return false;
    return true;
}
/** Could a change after reading have left the same fingerprint? */
export function isRacy(known, now) {
    return Object.entries(known).some(([path, mark]) => mark !== '-' && mark !== PRESENT && now - parse(path, mark).changed < RACY_MS);
}
const QUIET = { throwIfNoEntry: false };
function isSameAs(path, mark) {
    return mark === PRESENT ? statOf(path) !== undefined : fingerprint(path) === mark;
}
const asked = new WeakSet();
const prepared = new WeakMap();
function prepare(known) {
    const marks = Object.entries(known);
    const there = marks.filter(([, mark]) => mark === PRESENT).map(([path]) => path);
    const present = marks
        .filter(([, mark]) => mark !== '-' && mark !== PRESENT)
        .map(([path, mark]) => parse(path, mark));
    const absent = marks.filter(([, mark]) => mark === '-').map(([path]) => path);
    const byFolder = Map.groupBy(absent, nearestFolder);
    const absences = [...byFolder].map(([folder, paths]) => {
        return { folder, paths, mark: undefined, present: present.find(({ path }) => path === folder) };
    });
    return { there, present, absent: absences };
}
/** The last folder on the way there that exists; the path itself where a link stands that leads nowhere yet. */
function nearestFolder(path) {
    let next = path;
    while (!statOf(dirname(next)) && next !== dirname(next))
        next = dirname(next);
    return isThere(next) ? path : dirname(next);
}
function isThere(path) {
    try {
        return lstatSync(path, QUIET) !== undefined;
    }
    catch {
        return true; // nobody can say
    }
}
function isStillAbsent(absence) {
    const { folder, paths, mark, present } = absence;
    // What is present was looked at just now.
    if (mark && present && isSameMark(mark, present))
        return true;
    const now = Date.now();
    // Looked at before the paths: what is made meanwhile changes it again.
    const stat = statOf(folder);
    if (stat && mark && isSame(stat, mark))
        return true;
    if (paths.some(statOf))
        return false;
    if (!stat || now - stat.ctimeMs < RACY_MS)
        return true;
    if (paths.some((path) => nearestFolder(path) !== folder))
        return false;
    absence.mark = { path: folder, inode: stat.ino, size: stat.size, changed: stat.ctimeMs };
    return true;
}
function parse(path, mark) {
    const [inode = -1, size = -1, changed = -1] = mark === '-' ? [] : mark.split(':').map(Number);
    return { path, inode, size, changed };
}
function isUnchanged(mark) {
    const stat = statOf(mark.path);
    return stat ? isSame(stat, mark) : mark.inode === -1;
}
function isSameMark(a, b) {
    return a.changed === b.changed && a.inode === b.inode && a.size === b.size;
}
function isSame(stat, { inode, size, changed }) {
    return stat.ctimeMs === changed && stat.ino === inode && stat.size === size;
}
function statOf(path) {
    try {
        return statSync(path, QUIET);
    }
    catch {
        // No right to look, links in a circle, or a file where a folder was: like everything that is not there.
        return undefined;
    }
}
