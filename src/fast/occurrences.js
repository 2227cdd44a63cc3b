/**
 * All places where a global pattern is found. The slow twin `matchAll` copies the pattern and makes an iterator for each
 * text, although most texts hold none; a record of the warm engine is looked at with dozens of patterns (bench/race.ts).
 */
export function occurrences(pattern, text) {
    pattern.lastIndex = 0;
    let found = pattern.exec(text);
    if (!found)
        return NONE;
    const all = [];
    for (; found; found = pattern.exec(text)) {
        all.push(found);
        if (found[0] === '')
            pattern.lastIndex++;
    }
    return all;
}
const NONE = [];
