/** A file that is there whole or not at all, for its owner alone. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';
export function writeWhole(file, content, mode = 0o600) {
    const temporary = `${file}.${process.pid}.tmp`;
    try {
        makeFolder(dirname(file));
        writeFileSync(temporary, content, { mode });
        renameSync(temporary, file);
    }
    catch (error) {
        removeQuietly(temporary);
        throw error;
    }
}
function removeQuietly(file) {
    try {
        rmSync(file, { force: true });
    }
    catch {
        // On a disk that can only be read there is nothing to remove either.
    }
}
