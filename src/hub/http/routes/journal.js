/** What machines recorded: searched, counted, exported. */
import { decodeBatch } from '../../../fleet/wire/batch.ts';
import { CrosshookError } from '../../../spec/errors.ts';
import { edgesNamed } from '../../store/edges.ts';
import { ANALYTICS_BY, analytics, batchesAfter, findings, searchRows, } from '../../store/search.ts';
import { get, limitIn } from '../route.ts';
const TEXTS = ['edge', 'agent', 'hook', 'decision', 'event', 'tool'];
const TIMES = ['since', 'until'];
export const JOURNAL_ROUTES = [
    get('/v1/fleet/journal', 'What was not a plain allow, newest first', journal, [
        ...TEXTS,
        ...TIMES,
        'limit',
    ]),
    get('/v1/fleet/findings', 'Gaps in journals, and records that were altered', listFindings),
    get('/v1/fleet/export', 'Every record, page by page', exportPage, ['after', 'settled']),
    get('/v1/fleet/analytics', 'Sums per hour, hook, agent and decision', counts, ['by', 'since', 'of']),
];
async function journal({ hub, person: { tenant }, url }) {
    const filter = { limit: limitIn(url, 100, 1000) };
    for (const name of TEXTS) {
        const value = url.searchParams.get(name);
        if (value)
            filter[name] = value;
    }
    for (const name of TIMES) {
        const value = url.searchParams.get(name);
        if (value !== null && Number.isFinite(Number(value)))
            filter[name] = Number(value);
    }
    return hub.db.within(tenant, async (sql) => {
        const rows = await searchRows(sql, tenant, filter);
        const names = await edgesNamed(sql, tenant, [...new Set(rows.map(({ edge }) => edge))]);
        return rows.map(({ body, ...row }) => ({
            ...row,
            machine: names.get(row.edge)?.name ?? row.edge,
            record: JSON.parse(body),
        }));
    });
}
async function listFindings({ hub, person: { tenant } }) {
    return hub.db.within(tenant, async (sql) => {
        const rows = await findings(sql, tenant);
        const names = await edgesNamed(sql, tenant, [...new Set(rows.map(({ edge }) => edge))]);
        return rows.map((row) => ({ ...row, machine: names.get(row.edge)?.name ?? row.edge }));
    });
}
/** Another hub may still be writing what came before: an export that will go on from its end leaves out the newest. */
const SETTLED_MS = 60000;
/** The cursor is the place of the last batch that was given: time of arrival, machine, first record. */
async function exportPage({ hub, person: { tenant }, url }) {
    const [at = '0', edge = '', seq = '0'] = (url.searchParams.get('after') ?? '0').split('/');
    const until = url.searchParams.get('settled') === '1' ? Date.now() - SETTLED_MS : undefined;
    const { batches, names } = await hub.db.within(tenant, async (sql) => {
        const after = { at: Number(at) || 0, edge, seq: Number(seq) || 0 };
        const batches = await batchesAfter(sql, tenant, after, until);
        return { batches, names: await edgesNamed(sql, tenant, [...new Set(batches.map((each) => each.edge))]) };
    });
    const last = batches.at(-1);
    return {
        lines: batches.flatMap(({ edge, revision, bytes }) => {
            const about = JSON.stringify({ edge, machine: names.get(edge)?.name ?? '', revision }).slice(0, -1);
            return decodeBatch(bytes).lines.map((line) => `${about},${line.slice(1)}`);
        }),
        next: last ? `${last.received_at}/${last.edge}/${last.first_seq}` : null,
    };
}
async function counts({ hub, person: { tenant }, url }) {
    const by = (url.searchParams.get('by') ?? 'hook,decision').split(',').filter((name) => name !== '');
    const wrong = by.find((name) => !ANALYTICS_BY.includes(name));
    if (wrong !== undefined)
        throw new CrosshookError('usage', `Nothing is counted by "${wrong}".`, {
            fix: `Use ${ANALYTICS_BY.join(', ')}.`,
        });
    const since = Number(url.searchParams.get('since') ?? Date.now() - 7 * 86400000);
    const events = url.searchParams.get('of') === 'events';
    return hub.db.within(tenant, (sql) => analytics(sql, tenant, { by: by, since, events }));
}
