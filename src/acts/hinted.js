/**
 * Large patterns that most texts do not match: compiling one takes a new process longer than all else that it does with a
 * path. Each text that a pattern matches holds one of its hints, in lower case; most texts hold none and are done.
 */
/** One pattern of all, made at the first text with a hint: compiling each takes longer than compiling all at once. */
export function hinted(hints, patterns, flags = '') {
    let all;
    return {
        patterns,
        test(text) {
            const lower = text.toLowerCase();
            if (!hints.some((hint) => lower.includes(hint)))
                return false;
            all ??= new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'), flags);
            return all.test(text);
        },
    };
}
