import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
/** With all that lead to it. Node's own `recursive` calls a disk that can only be read "no such file or directory". */
export function makeFolder(path) {
    if (existsSync(path))
        return;
    makeFolder(dirname(path));
    try {
        mkdirSync(path, { mode: 0o700 });
    }
    catch (error) {
        // Somebody else was quicker.
        if (error.code !== 'EEXIST')
            throw error;
    }
}
