/** Questions to the sums by the hour and day: what they cost depends on hours, hooks and tools, not on how many events there were. */
import { HOUR, KEPT_HOURS, SPANS, SUMS } from './rollups.ts';
import { createHistogram } from './times.ts';
const EVENT_COLUMNS = {
    hour: 'hour',
    day: 'hour - hour % 24',
    agent: 'agent',
    tool: 'tool',
    decision: 'decision',
    project: 'project',
    event: 'event',
};
export function countBy(db, dimensions, since, { until, ...filter } = {}) {
    const columns = dimensions.map((name) => `${EVENT_COLUMNS[name]} AS "${name}"`);
    const group = dimensions.length > 0 ? `GROUP BY ${dimensions.map((name) => EVENT_COLUMNS[name]).join(', ')}` : '';
    const order = ['events DESC', ...dimensions.map((name) => `"${name}"`)].join(', ');
    const where = whereOf(filter);
    const { span, from, end } = stretch(since ?? new Date(0), until, dimensions.includes('hour'));
    const rows = db
        .prepare(`SELECT ${[...columns, 'sum(events) AS events'].join(', ')} FROM ${span === SPANS.day ? 'event_days' : 'event_hours'}
         WHERE hour >= ? AND hour < ?${where.sql} ${group} ORDER BY ${order}`)
        .all(from, end, ...where.values);
    return rows.map((row) => ({
        by: Object.fromEntries(dimensions.map((name) => [name, wordOf(name, row[name])])),
        events: Number(row.events ?? 0),
    }));
}
/** More hours than this are read from sums of days, unless hours are asked for. */
const FEW_HOURS = 72;
/** Which sums a stretch of time is read from; its first hour, and the first hour after it. */
function stretch(since, until, wantsHours, onlyDays = false) {
    const first = hourOf(since);
    const end = until ? Math.ceil(until.getTime() / HOUR) : hourOf(new Date()) + 2;
    const isOld = first < hourOf(new Date()) - KEPT_HOURS;
    const isDays = onlyDays || isOld || (end - first > FEW_HOURS && !wantsHours);
    return isDays
        ? { span: SPANS.day, from: first - (first % 24), end }
        : { span: SPANS.hour, from: first, end };
}
/** The few rows that tell apart what is asked for. */
function levelOf({ by, agent, tool, project }) {
    const told = ['agent', 'tool', 'project'].filter((name) => by.includes(name) || { agent, tool, project }[name] !== undefined);
    return told.length === 0 ? 'hook' : told.length === 1 ? told[0] : 'all';
}
export function hookSums(db, query) {
    const { by, since, until, hook, ...filter } = query;
    const level = levelOf(query);
    const { span, from, end } = stretch(since, until, by.includes('hour'), level === 'all');
    const where = whereOf({ ...filter, ...(hook === undefined ? {} : { hook }) });
    const columns = by.map((name) => `${HOOK_COLUMNS[name]} AS "${name}"`);
    const found = new Map();
    const statement = db.prepare(`SELECT ${[...columns, ...SUMS, 'times'].join(', ')} FROM hook_sums
       WHERE level = ? AND span = ? AND at >= ? AND at < ?${where.sql}`);
    for (const row of statement.iterate(level, span, from, end, ...where.values)) {
        const key = by.map((name) => row[name]).join('\0');
        let group = found.get(key);
        if (!group) {
            const words = by.map((name) => [name, wordOf(name, row[name])]);
            found.set(key, (group = { by: Object.fromEntries(words), ...NOTHING, times: createHistogram() }));
        }
        for (const name of SUMS)
            group[name] += Number(row[name]);
        group.times.add(String(row.times));
    }
    const rows = [...found.values()].map(sumOf);
    const time = by.find((name) => name === 'day' || name === 'hour');
    return {
        from: new Date(from * HOUR),
        rows: rows.sort((a, b) => (time ? compare(a.by[time], b.by[time]) : 0) || b.runs - a.runs || compare(label(a), label(b))),
    };
}
const NOTHING = Object.fromEntries(SUMS.map((name) => [name, 0]));
function sumOf({ by, times, cost, total_ms: _, ...sums }) {
    return {
        by,
        ...sums,
        cost_usd: dollars(cost),
        p50: times.percentile(0.5),
        p95: times.percentile(0.95),
        p99: times.percentile(0.99),
    };
}
/** Without the digits that adding up parts of a cent leaves behind. */
function dollars(cost) {
    return Number(cost.toFixed(6));
}
export function hookTotals(db) {
    return db
        .prepare("SELECT * FROM hook_sums WHERE level = 'hook' AND span = ? ORDER BY hook")
        .all(SPANS.ever)
        .map((row) => {
        const times = createHistogram();
        times.add(String(row.times));
        const { cost, ...sums } = Object.fromEntries(SUMS.map((name) => [name, Number(row[name])]));
        return {
            hook: String(row.hook),
            ...sums,
            cost_usd: dollars(cost),
            upTo: (bounds) => bounds.map((ms) => times.upTo(ms)),
        };
    });
}
const HOOK_COLUMNS = {
    hook: 'hook',
    agent: 'agent',
    tool: 'tool',
    project: 'project',
    day: 'at - at % 24',
    hour: 'at',
};
/** The names are columns of both tables. */
function whereOf(filter) {
    const given = Object.entries(filter).filter((entry) => entry[1] !== undefined);
    return {
        sql: given.map(([name]) => ` AND ${FILTERS[name]} = ?`).join(''),
        values: given.map(([, value]) => value.slice(0, 256)),
    };
}
const FILTERS = { agent: 'agent', tool: 'tool', project: 'project', hook: 'hook' };
function hourOf(date) {
    return Math.floor(date.getTime() / HOUR);
}
function wordOf(name, value) {
    return name === 'hour' || name === 'day' ? new Date(Number(value) * HOUR).toISOString() : String(value);
}
function label({ by }) {
    return Object.values(by).join('\0');
}
function compare(a, b) {
    return a < b ? -1 : a > b ? 1 : 0;
}
