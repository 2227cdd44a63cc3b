/**
 * For a process that stays: the kernel tells of changed files, so that not each of them need be looked at for each
 * event. Linux queues such news before the change is done. Whoever then opens a connection is accepted no earlier than
 * the news is read, and heard a turn of the event loop later: so events that come by a connection of their own never
 * meet a stale file. (One that comes by an old connection may overtake the news.)
 */
import { realpathSync, statfsSync, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { now } from '../fast/clock.ts';
import { isCurrent } from './fingerprint.ts';
/** How long to trust inotify before calling stat again: it does not report writes through a memory map. */
const TRUST_INOTIFY_MS = 2000;
/** ext, XFS, Btrfs, F2FS, tmpfs, overlayfs. Others may change without this kernel having a part in it. */
const LOCAL_FILE_SYSTEMS = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994, 0x794c7630]);
const MAX_WATCHED_FILES = 4096;
/** One for each file, whichever sets of hooks it belongs to. */
const watched = new Map();
/** News so far, of any file. */
let news = 0;
/** Files so far that are no longer watched: others may stand in their place. */
let losses = 0;
export function watchInputs(inputs) {
    let unwatched = inputs;
    let counted = -1;
    let known = -1;
    let since = 0;
    return {
        isCurrent() {
            if (known === news && now() - since < TRUST_INOTIFY_MS)
                return isCurrent(unwatched);
            if (counted !== losses) {
                unwatched = watchAll(inputs);
                counted = losses;
            }
            // Read first: what comes while we look counts as new.
            const seen = news;
            if (!isCurrent(inputs))
                return false;
            known = seen;
            since = now();
            return true;
        },
    };
}
/** Those that cannot be watched. */
function watchAll(inputs) {
    return Object.fromEntries(Object.entries(inputs).filter(([path]) => !isCovered(path, inputs) || !watchFile(path)));
}
/** A file in a folder of a folder that is looked at itself: if a folder above it is exchanged, that is seen there. */
function isCovered(path, inputs) {
    return (inputs[dirname(dirname(path))] ?? '-') !== '-';
}
function watchFile(path) {
    if (process.platform !== 'linux')
        return false;
    try {
        const stat = statSync(path, { throwIfNoEntry: false });
        // A link could be made to lead elsewhere, which its target does not tell.
        if (!stat?.isFile() || realpathSync(path) !== path || !LOCAL_FILE_SYSTEMS.has(statfsSync(path).type))
            return false;
        if (watched.get(path)?.inode === stat.ino)
            return true;
        if (watched.size >= MAX_WATCHED_FILES)
            return false;
        watched.get(path)?.watcher.close();
        const watcher = watch(path, { persistent: false }, (what) => (what === 'rename' ? drop(path) : news++));
        watcher.on('error', () => drop(path));
        watched.set(path, { inode: stat.ino, watcher });
        return true;
    }
    catch {
        return false; // no right, or no more watches to be had: it is looked at as ever
    }
}
/** It was moved or removed. A new file may even get its number. */
function drop(path) {
    news++;
    losses++;
    watched.get(path)?.watcher.close();
    watched.delete(path);
}
