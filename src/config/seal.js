/**
 * What was trusted, kept under its digest in the state folder. Hooks of projects run from here: whoever writes to the
 * project's folder between the check and the start changes nothing that runs.
 */
import { chmodSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isCurrent, isRacy } from './fingerprint.ts';
import { makeFolder } from './make-folder.ts';
import { digest, look } from './snapshot.ts';
export function sealedFolder(stateDir, pin) {
    return join(stateDir, 'sealed', pin);
}
/** Copies the bytes; which of them may be executed is taken from the folder that they came from. */
export function seal(stateDir, { pin, bytes, from }) {
    const folder = sealedFolder(stateDir, pin);
    if (readSealed(stateDir, pin))
        return;
    const temporary = `${folder}.${process.pid}.tmp`;
    try {
        makeFolder(dirname(folder));
        rmSync(temporary, { recursive: true, force: true });
        mkdirSync(temporary, { mode: 0o700 });
        for (const [path, content] of bytes) {
            const file = join(temporary, path);
            mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
            writeFileSync(file, content, { mode: 0o600 });
            chmodSync(file, isProgram(join(from, path)) ? 0o500 : 0o400);
        }
        // One that is there although it could not be read is damaged.
        rmSync(folder, { recursive: true, force: true });
        renameSync(temporary, folder);
    }
    finally {
        rmSync(temporary, { recursive: true, force: true });
    }
}
/** Sealed copies whose bytes were compared with their digest in this process, as long as their files do not change. */
const proven = new Map();
/** Undefined where there is none, or one that is not what its name says. */
export function readSealed(stateDir, pin) {
    const folder = sealedFolder(stateDir, pin);
    const now = Date.now();
    try {
        const { bytes, marks } = look({ origin: { file: folder, dir: folder } });
        if (digest(bytes) !== pin)
            return undefined;
        if (!isRacy(marks, now))
            proven.set(folder, marks);
        return bytes;
    }
    catch {
        return undefined; // gone, or not readable: whoever needs it says so
    }
}
export function isSealed(stateDir, pin) {
    const marks = proven.get(sealedFolder(stateDir, pin));
    return marks && isCurrent(marks) ? true : readSealed(stateDir, pin) !== undefined;
}
export function unseal(stateDir, pin) {
    rmSync(sealedFolder(stateDir, pin), { recursive: true, force: true });
}
function isProgram(file) {
    return ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o111) !== 0;
}
