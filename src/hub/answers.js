/** Requests that wait for a person's answer at this hub. */
export function createAnswers() {
    const waiting = new Map();
    let count = 0;
    return {
        get waiting() {
            return count;
        },
        has: (tenant) => (waiting.get(tenant)?.size ?? 0) > 0,
        wait(tenant, id, ms) {
            let ids = waiting.get(tenant);
            if (!ids)
                waiting.set(tenant, (ids = new Map()));
            let all = ids.get(id);
            if (!all)
                ids.set(id, (all = new Set()));
            const { promise, resolve } = Promise.withResolvers();
            const timer = setTimeout(() => resolve(undefined), ms);
            all.add(resolve);
            count++;
            const own = all;
            return {
                promise,
                end() {
                    clearTimeout(timer);
                    if (own.delete(resolve))
                        count--;
                    if (own.size === 0 && ids.get(id) === own)
                        ids.delete(id);
                },
            };
        },
        tell(tenant, row) {
            for (const resolve of waiting.get(tenant)?.get(row.id) ?? [])
                resolve(row);
        },
    };
}
