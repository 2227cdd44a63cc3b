/**
 * How records prove that none is missing. Each line of the intake names the line that was last when it was written: by
 * the place where that line ends and by its hash. Many processes append without a lock, so two lines may name the same
 * one; what a line names is always there before it. Taken in, records get a second chain, one after another.
 */
import { readSync } from 'node:fs';
import { sha256Hex } from '../../fast/digest.ts';
/** 128 bits: enough that nobody finds another line with the same. */
export const HASH_LENGTH = 32;
export function hashOf(line) {
    return sha256Hex(line).slice(0, HASH_LENGTH);
}
/** The chain of the database: what came before, and the record. */
export function chained(before, lineHash) {
    return sha256Hex(`${before}\n${lineHash}`).slice(0, HASH_LENGTH);
}
/** Before the first record. */
export const NO_CHAIN = '0'.repeat(HASH_LENGTH);
const PLACED = /^(\d{1,15})\.([0-9a-f]{32})$/;
const FOLLOWING = /^\+([0-9a-f]{32})$/;
/** What stands in a line as `prev`. */
export function prevOf({ end, hash }) {
    return `${end}.${hash}`;
}
/** In one write: the line just before. */
export function prevInWrite(hash) {
    return `+${hash}`;
}
export function parsePrev(prev) {
    const placed = PLACED.exec(prev);
    if (placed)
        return { end: Number(placed[1]), hash: placed[2] };
    const following = FOLLOWING.exec(prev);
    return following ? { hash: following[1] } : undefined;
}
const STEP = 8 * 1024;
const LINE_END = 10;
/** The last whole line that ends at or before `size`; what is cut off after it is not looked at. */
export function tailOf(file, size) {
    for (let length = Math.min(STEP, size); length > 0; length = Math.min(length * 4, size)) {
        const bytes = Buffer.allocUnsafe(length);
        const got = readSync(file, bytes, 0, length, size - length);
        const last = bytes.lastIndexOf(LINE_END, got - 1);
        // Records have a line end before them too: empty lines are none.
        let end = last;
        while (end > 0 && bytes[end - 1] === LINE_END)
            end--;
        const before = end > 0 ? bytes.lastIndexOf(LINE_END, end - 1) : -1;
        const isWhole = end > 0 && (before >= 0 || length === size);
        if (isWhole)
            return { end: size - length + end + 1, hash: hashOf(bytes.subarray(before + 1, end)) };
        if (length === size)
            return undefined;
    }
    return undefined;
}
/** The hash of the line that ends there, or undefined when none does. */
export function hashEndingAt(file, end, size) {
    if (end > size || end < 2)
        return undefined;
    const found = tailOf(file, end);
    return found?.end === end ? found.hash : undefined;
}
