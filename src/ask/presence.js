/** Who looks at questions right now: an open page, a terminal with `crosshook approvals`. Files, seen by every process. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../config/make-folder.ts';
import { lookAt } from '../pipeline/starter.ts';
/** Until the function that comes back is called, or the process ends. */
export function bePresent(stateDir, where) {
    const folder = folderOf(stateDir);
    makeFolder(folder);
    const file = join(folder, `${where}-${process.pid}`);
    writeFileSync(file, '', { mode: 0o600 });
    return () => rmSync(file, { force: true });
}
/** The channels that somebody looks at. */
export function present(stateDir) {
    let names;
    try {
        names = readdirSync(folderOf(stateDir));
    }
    catch {
        return []; // nobody ever looked
    }
    return names.flatMap((name) => {
        const [, where, pid] = /^([a-z]+)-(\d+)$/.exec(name) ?? [];
        return where !== undefined && isThere(Number(pid)) ? [where] : [];
    });
}
function isThere(pid) {
    try {
        process.kill(pid, 0);
        // A number that another program has by now.
        return lookAt(pid)?.argv.some((word) => /crosshook|node|main\.cjs/.test(word)) !== false;
    }
    catch {
        return false;
    }
}
function folderOf(stateDir) {
    return join(stateDir, 'asks', 'present');
}
