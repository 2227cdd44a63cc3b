/** The folder of dead letters: a file for each, the oldest removed beyond the limits. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CrosshookError, messageOf } from '../spec/errors.ts';
import { readRecord, redactRecord } from './dead-letter-record.ts';
import { dropResolutions, readLedger } from './resolutions.ts';
/** No file of ours is larger: below this times the count, nothing need be measured. */
const MAX_RECORD_BYTES = 12 * 1024;
/** Oldest first. */
function recordFiles(folder) {
    if (!existsSync(folder))
        return [];
    return readdirSync(folder)
        .filter((name) => /^\d+-.*\.json$/.test(name))
        .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1));
}
export function readAll(folder) {
    try {
        return readRecords(folder);
    }
    catch (error) {
        const unusable = storeError(`The dead letters in ${folder} cannot be read`, error);
        return { records: [], count: 0, read_error: unusable.message, unusable };
    }
}
function readRecords(folder) {
    const names = recordFiles(folder);
    const resolutions = readLedger(folder);
    const records = [];
    const unreadable = [];
    for (const name of names) {
        try {
            const record = readRecord(join(folder, name));
            records.push(redactRecord({ ...record, ...resolutions.get(record.id) }));
        }
        catch (error) {
            if (!isGone(error))
                unreadable.push(`${name}: ${messageOf(error)}`);
        }
    }
    if (unreadable.length === 0)
        return { records, count: names.length };
    const read_error = `${unreadable.length} of ${names.length} files in ${folder} cannot be read (${unreadable[0]})`;
    return { records, count: names.length, read_error };
}
export function prune(folder, { records, bytes }) {
    const newestFirst = recordFiles(folder).reverse();
    const beyond = newestFirst.slice(records);
    let total = 0;
    if (newestFirst.length * MAX_RECORD_BYTES > bytes)
        for (const [i, name] of newestFirst.slice(0, records).entries()) {
            total += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
            if (total > bytes && i > 0)
                beyond.push(name);
        }
    const removed = new Set(beyond.map((name) => idIn(join(folder, name))));
    for (const name of [...beyond, ...abandoned(folder)])
        rmSync(join(folder, name), { force: true });
    dropResolutions(folder, removed);
}
/** The id of a record that is about to go; a damaged one has none. */
function idIn(path) {
    try {
        return readRecord(path).id;
    }
    catch {
        return undefined;
    }
}
/** What processes left that were killed while they wrote. */
function abandoned(folder) {
    return readdirSync(folder).filter((name) => {
        if (!name.includes('.tmp-'))
            return false;
        const found = statSync(join(folder, name), { throwIfNoEntry: false });
        return found !== undefined && Date.now() - found.mtimeMs > 60000;
    });
}
function isGone(error) {
    return error.code === 'ENOENT';
}
export function storeError(what, cause) {
    return new CrosshookError('store', `${what}: ${messageOf(cause)}.`, { cause });
}
/** A quick look, for each new record: may there be too many? */
export function isOver(folder, { records, bytes }) {
    const count = recordFiles(folder).length;
    return count > records || count * MAX_RECORD_BYTES > bytes;
}
