/** Looks machines up in groups: many that come at once are one question to the database. Nothing is kept. */
import { edgesNamed, markSeen } from './store/edges.ts';
const MOST_TOGETHER = 500;
export function createKnownEdges(db) {
    const wanted = new Map();
    const heard = new Map();
    function look(tenant) {
        const all = [...(wanted.get(tenant) ?? [])];
        wanted.delete(tenant);
        for (let i = 0; i < all.length; i += MOST_TOGETHER) {
            const some = all.slice(i, i + MOST_TOGETHER);
            const found = db.within(tenant, (sql) => edgesNamed(sql, tenant, some.map(([id]) => id)));
            for (const [id, askers] of some)
                for (const answer of askers)
                    answer(found.then((edges) => current(edges.get(id))));
        }
    }
    return {
        find(tenant, id) {
            return new Promise((resolve) => {
                let ids = wanted.get(tenant);
                if (!ids) {
                    wanted.set(tenant, (ids = new Map()));
                    setImmediate(look, tenant);
                }
                const askers = ids.get(id);
                if (askers)
                    askers.push(resolve);
                else
                    ids.set(id, [resolve]);
            });
        },
        seen(tenant, id) {
            const ids = heard.get(tenant);
            if (ids)
                ids.add(id);
            else
                heard.set(tenant, new Set([id]));
        },
        async flush() {
            const all = [...heard];
            heard.clear();
            for (const [tenant, ids] of all) {
                const list = [...ids];
                for (let i = 0; i < list.length; i += MOST_TOGETHER)
                    await db.within(tenant, (sql) => markSeen(sql, tenant, list.slice(i, i + MOST_TOGETHER)));
            }
        },
    };
}
function current(edge) {
    if (!edge || edge.revoked_at !== null)
        return undefined;
    return edge.expires_at !== null && edge.expires_at < Date.now() ? undefined : edge;
}
