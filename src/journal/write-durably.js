import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
/** The file appears with all of its content or not at all, also when the machine loses power: slower than `writeWhole`. */
export function writeDurably(path, text) {
    const temporary = `${path}.tmp-${process.pid}`;
    try {
        const file = openSync(temporary, 'w', 0o600);
        try {
            // Not `writeSync`: on a disk that is nearly full it writes a part and says nothing.
            writeFileSync(file, text);
            fsyncSync(file);
        }
        finally {
            closeSync(file);
        }
        renameSync(temporary, path);
    }
    catch (error) {
        rmSync(temporary, { force: true });
        throw error;
    }
}
