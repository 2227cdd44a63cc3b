/** Secrets whose values are known: those of the environment that are secret by their names. */
import { isPerhapsSecretKey, isSecretKey } from './names.ts';
import { isPlaceholder, looksRandom } from './placeholders.ts';
/** A shorter value would be found in ordinary words. */
const SHORTEST = 8;
/** Values of variables such as `GITHUB_TOKEN`. Paths, addresses and switches under such names are none. */
export function secretValues(env) {
    const values = [];
    for (const name in env) {
        const value = env[name];
        if (value === undefined || value.length < SHORTEST || value.length > LONGEST)
            continue;
        const rank = rankOf(name);
        if (rank === 'none')
            continue;
        const isSecret = rank === 'secret' || looksRandom(value);
        if (isSecret && !PLACE.test(value) && !isPlaceholder(value))
            values.push(value);
    }
    return values;
}
/** Each event brings the same names. */
const ranks = new Map();
const MOST_RANKS = 4096;
function rankOf(name) {
    let rank = ranks.get(name);
    if (rank === undefined) {
        rank = isSecretKey(name) ? 'secret' : isPerhapsSecretKey(name) ? 'perhaps' : 'none';
        if (ranks.size >= MOST_RANKS)
            ranks.clear();
        ranks.set(name, rank);
    }
    return rank;
}
/** In characters. */
const LONGEST = 16384;
const PLACE = /^(?:[/~]|\.{1,2}\/|[A-Za-z]:\\|[a-z+]+:\/\/[^:@\s]*$|\d{1,11}$|unix:)/;
export function findKnown(text, values, add) {
    for (const value of values)
        for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + value.length))
            add({ kind: 'environment', start, end: start + value.length, certain: true });
}
