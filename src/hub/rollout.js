/** Moves roll-outs on: to the next stage when its time is over, to a stop when a rule of the manifest says so. */
import { parseManifest } from '../fleet/wire/policy.ts';
import { advance, revisionsIn, stop } from './store/revisions.ts';
import { resultOf } from './store/search.ts';
/** Any hub may do it, also several at the same time. */
export async function moveRollouts(db, tenant, now = Date.now()) {
    await db.within(tenant, async (sql) => {
        for (const revision of await revisionsIn(sql, tenant, ['running'])) {
            const manifest = parseManifest(revision.manifest);
            const { mode } = manifest.stages[revision.stage];
            const result = await resultOf(sql, tenant, revision.revision, { since: revision.stage_since, mode });
            const why = reasonToStop(manifest.stop, result);
            if (why !== undefined)
                await stop(sql, tenant, 'hub', revision.revision, why);
            else if (now >= revision.stage_since + manifest.stages[revision.stage].minutes * 60000)
                await advance(sql, tenant, 'hub', revision);
        }
    });
}
export function reasonToStop({ min_events, max_failure_rate, max_deny_rate, forecast_deny_rate, max_deny_ratio }, { events, denies, failures }) {
    if (events === 0 || events < min_events)
        return undefined;
    const failed = failures / events;
    const denied = denies / events;
    if (max_failure_rate !== undefined && failed > max_failure_rate)
        return `hooks failed on ${percent(failed)} of ${events} events, more than ${percent(max_failure_rate)}`;
    if (max_deny_rate !== undefined && denied > max_deny_rate)
        return `${percent(denied)} of ${events} events were denied, more than ${percent(max_deny_rate)}`;
    if (forecast_deny_rate !== undefined &&
        max_deny_ratio !== undefined &&
        denied > forecast_deny_rate * max_deny_ratio)
        return `${percent(denied)} of ${events} events were denied, more than ${max_deny_ratio} times the forecast of ${percent(forecast_deny_rate)}`;
    return undefined;
}
function percent(part) {
    return `${Math.round(part * 10000) / 100} %`;
}
