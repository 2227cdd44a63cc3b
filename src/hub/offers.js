/** Which revision each machine is to have. Read when the policy of a tenant changes, kept in memory until then. */
import { compileSelector, isWithin, parseManifest, } from '../fleet/wire/policy.ts';
import { OFFERED, revisionsIn } from './store/revisions.ts';
export function createOffers(db) {
    const known = new Map();
    const read = (tenant) => {
        const reading = load(db, tenant);
        known.set(tenant, reading);
        // A database that is down is asked again.
        reading.catch(() => known.get(tenant) === reading && known.delete(tenant));
        return reading;
    };
    return {
        async refresh(tenant) {
            await read(tenant);
        },
        async offerFor(tenant, target) {
            const offered = await (known.get(tenant) ?? read(tenant));
            return offered.find(({ rule, digest, selects }) => isWithin(rule.percent, digest, target.id) && selects(target));
        },
    };
}
/** Newest first. */
async function load(db, tenant) {
    const rows = await db.within(tenant, (sql) => revisionsIn(sql, tenant, OFFERED));
    return Promise.all(rows.map(async ({ revision, stage, digest, manifest, signatures }) => {
        const { stages, selector } = parseManifest(manifest);
        return {
            revision,
            stage,
            digest,
            rule: stages[stage],
            selects: await compileSelector(selector),
            event: `id: ${revision}.${stage}\nevent: policy\ndata: ${JSON.stringify({ stage, manifest, signatures })}\n\n`,
        };
    }));
}
