/**
 * Batches of many machines become one transaction: those that come while one is being written wait for the next. At most one
 * batch of a machine is in each.
 */
import { append } from './store/journal.ts';
/** Records of one transaction, about. */
const MOST_RECORDS = 4000;
/** Records that wait; a machine whose batch would be too many is told to come again. */
const MOST_WAITING = 100000;
export function createWriter(db, shard) {
    const queues = new Map();
    const writing = new Set();
    let waiting = 0;
    async function drain(tenant) {
        if (writing.has(tenant))
            return;
        writing.add(tenant);
        try {
            for (;;) {
                // What arrives in this turn of the event loop goes along.
                await new Promise((resolve) => setImmediate(resolve));
                const items = take(queues.get(tenant) ?? []);
                if (items.length === 0)
                    return;
                await writeTogether(tenant, items);
            }
        }
        finally {
            writing.delete(tenant);
            if ((queues.get(tenant)?.length ?? 0) === 0)
                queues.delete(tenant);
            else
                void drain(tenant);
        }
    }
    function take(queue) {
        const taken = [];
        const edges = new Set();
        let records = 0;
        for (let i = 0; i < queue.length && records < MOST_RECORDS;) {
            const { edge, records: own } = queue[i].arrived;
            if (edges.has(edge)) {
                i++;
                continue;
            }
            edges.add(edge);
            records += own.length;
            taken.push(...queue.splice(i, 1));
        }
        return taken;
    }
    async function writeTogether(tenant, items) {
        for (const { arrived } of items)
            waiting -= arrived.records.length;
        try {
            const all = items.map(({ arrived }) => arrived);
            const answers = await db.within(tenant, (sql) => append(sql, tenant, shard, all));
            for (const { arrived, done } of items)
                done(answers.get(arrived));
        }
        catch (error) {
            for (const { failed } of items)
                failed(error);
        }
    }
    return {
        write(tenant, arrived) {
            if (waiting + arrived.records.length > MOST_WAITING)
                return undefined;
            waiting += arrived.records.length;
            return new Promise((done, failed) => {
                let queue = queues.get(tenant);
                if (!queue)
                    queues.set(tenant, (queue = []));
                queue.push({ arrived, done, failed });
                void drain(tenant);
            });
        },
    };
}
