/** The closest of some names to a mistyped one, or undefined when none is close. */
export function nearest(word, names) {
    let best;
    let least = Math.max(1, Math.floor(word.length / 3)) + 1;
    for (const name of names) {
        const d = distance(word.toLowerCase(), name.toLowerCase());
        if (d < least) {
            least = d;
            best = name;
        }
    }
    return best;
}
/** ` Did you mean "x"?` or nothing. */
export function didYouMean(word, names) {
    const name = nearest(word, names);
    return name === undefined ? '' : ` Did you mean "${name}"?`;
}
/** Letters to add, remove or change; two that have changed places count as one. */
function distance(a, b) {
    let before = [];
    let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
    for (let i = 1; i <= a.length; i++) {
        const current = [i];
        for (let j = 1; j <= b.length; j++) {
            const swap = a[i - 1] === b[j - 1] ? 0 : 1;
            current[j] = Math.min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + swap);
            if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
                current[j] = Math.min(current[j], (before[j - 2] ?? Number.POSITIVE_INFINITY) + 1);
        }
        before = previous;
        previous = current;
    }
    return previous[b.length];
}
