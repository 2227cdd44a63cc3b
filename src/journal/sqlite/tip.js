/**
 * How far the intake has come, in a file of its own: a record that is cut off its end is missed by nobody else. Written
 * after each record, so that it may lag behind but never run ahead, whenever a process is killed.
 */
import { closeSync, constants, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { within } from '../../fast/within.ts';
import { intakePath } from './segments.ts';
export function tipPath(stateDir) {
    return within(dirname(intakePath(stateDir)), 'journal.tip');
}
export function openTip(stateDir) {
    return openSync(tipPath(stateDir), constants.O_RDWR | constants.O_CREAT, 0o600);
}
/** Always of the same length, in one write, over what was there. */
export function writeTip(file, tip, seal) {
    const text = `${tip.segment} ${String(tip.end).padStart(15, '0')} ${tip.hash}`;
    writeSync(file, `${text} ${seal ? seal(text) : NO_SEAL}\n`, 0);
}
const NO_SEAL = '-'.repeat(64);
const LINE = /^([0-9a-f]{24}) (\d{15}) ([0-9a-f]{32}) ([0-9a-f]{64}|-{64})\n$/;
/** `forged`: the seal is not ours. Undefined when there is no tip. */
export function readTip(stateDir, seal) {
    let text;
    try {
        text = readFileSync(tipPath(stateDir), 'latin1');
    }
    catch (error) {
        if (error.code === 'ENOENT')
            return undefined;
        return 'unreadable';
    }
    // Just made, and not yet written.
    if (text === '')
        return undefined;
    const found = LINE.exec(text);
    if (!found)
        return 'unreadable';
    const [, segment, end, hash, given] = found;
    const forged = seal !== undefined && seal(`${segment} ${end} ${hash}`) !== given;
    return { tip: { segment: segment, end: Number(end), hash: hash }, forged };
}
/** Without a look at its seal, for those who are about to write over it. */
export function tipIn(file) {
    const bytes = Buffer.alloc(LENGTH);
    const found = LINE.exec(bytes.toString('latin1', 0, readSync(file, bytes, 0, LENGTH, 0)));
    return found ? { segment: found[1], end: Number(found[2]), hash: found[3] } : undefined;
}
const LENGTH = 24 + 1 + 15 + 1 + 32 + 1 + 64 + 1;
export function closeTip(file) {
    closeSync(file);
}
