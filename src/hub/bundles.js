/** Archives that were asked for lately: thousands of machines ask for the same one at the same time. */
const MOST_KEPT = 20;
export function createBundles() {
    const kept = new Map();
    return {
        get(tenant, digest, read) {
            const key = `${tenant}/${digest}`;
            const known = kept.get(key);
            if (known)
                return known;
            const reading = read();
            kept.set(key, reading);
            const forget = () => kept.get(key) === reading && kept.delete(key);
            reading.then((bytes) => bytes ?? forget(), forget);
            if (kept.size > MOST_KEPT)
                kept.delete(kept.keys().next().value);
            return reading;
        },
    };
}
