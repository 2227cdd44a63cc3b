const own = uniqueHex(6);
let count = 0;
/** Twelve digits that no other record of the same millisecond has; cheaper than those below. */
export function recordHex() {
    count = (count + 1) % 16 ** 6;
    return own + count.toString(16).padStart(6, '0');
}
/** Hexadecimal digits that no other id has. Not for secrets: `node:crypto` would be, and is slow to load. */
export function uniqueHex(length) {
    let out = '';
    while (out.length < length)
        out += Math.floor(Math.random() * 2 ** 48)
            .toString(16)
            .padStart(12, '0');
    return out.slice(0, length);
}
