/** Settings that another file holds, for `doctor`. */
import { readFileSync } from 'node:fs';
import { CrosshookError } from '../../spec/errors.ts';
import { parseSettings } from './json-settings.ts';
import { record } from './payload.ts';
/** Empty when there is no such file, or when it says nothing that could be read. */
export function settingsAt(path) {
    try {
        return record(parseSettings(readFileSync(path, 'utf8')));
    }
    catch (error) {
        const { code } = error;
        // A broken file is reported by whoever writes to it.
        if (error instanceof CrosshookError || code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR')
            return {};
        throw error;
    }
}
