/** Is something there? What may not be looked at, or a link into nothing, is not absent. */
import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { CrosshookError } from '../spec/errors.ts';
/** Throws where nobody can tell. */
export function isThere(path) {
    try {
        statSync(path);
        return true;
    }
    catch (error) {
        if (!isAbsence(error))
            throw error;
        if (isLink(path))
            throw new CrosshookError('bad_source', `it is a link to ${readlinkSync(path)}, which is not there`, {
                fix: 'Bring back what it leads to, or remove the link.',
            });
        return false;
    }
}
function isLink(path) {
    try {
        return lstatSync(path).isSymbolicLink();
    }
    catch (error) {
        if (isAbsence(error))
            return false;
        throw error;
    }
}
/** The last is a path that no file system has: one with a null byte, from somebody who tries what happens. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ERR_INVALID_ARG_VALUE']);
function isAbsence(error) {
    return ABSENT.has(error.code ?? '');
}
