/** What stands in a secret's place: `[REDACTED:github-pat:3f9a1c]`. Equal secrets have equal marks on one machine. */
import { sha256Hex } from '../fast/digest.ts';
/** A whole mark, also the one of versions before 0.2. */
export const MARK = /^\[REDACTED(?::[a-z0-9-]{1,40}:[0-9a-f]{6})?\]$/;
/** Each in a text. */
export const MARKS = /\[REDACTED(?::[a-z0-9-]{1,40}:[0-9a-f]{6})?\]/g;
/** Where no digest can be had, as for a value that is no text. */
export const REDACTED = '[REDACTED]';
/** The digest is keyed: without the key nobody can find out by trying which secret it was. */
export function markOf(kind, secret) {
    let digits = recent.get(secret);
    if (digits === undefined) {
        key ??= keyOrRandom();
        digits = sha256Hex(`${key}\n${secret}`).slice(0, 6);
        if (recent.size >= MOST_RECENT)
            recent.clear();
        recent.set(secret, digits);
    }
    return `[REDACTED:${kind}:${digits}]`;
}
/** The same secret comes again and again in one text. */
const recent = new Map();
const MOST_RECENT = 64;
let key;
let readKey = randomKey;
function randomKey() {
    return process.getBuiltinModule('node:crypto').randomBytes(32).toString('hex');
}
/** A key that cannot be read costs the comparison with other processes, not the redaction. */
function keyOrRandom() {
    try {
        return readKey();
    }
    catch {
        return randomKey();
    }
}
/** Where the machine's key comes from; it is asked for when the first secret is found. Before that: one of this process. */
export function useMarkKey(read) {
    readKey = read;
    key = undefined;
    recent.clear();
}
