/** The database of agents whose plugins are functions `(input, output)`: each part of a message is a row. */
import { basename, join } from 'node:path';
import { isRecord, record, string } from './payload.ts';
/** Each change of a part, in its order: the first that runs has the input as hooks saw it, before they rewrote it. */
const CHANGES = `SELECT s.id AS session_id, s.parent_id, s.directory, e.data
FROM event e JOIN session s ON s.id = e.aggregate_id
WHERE s.time_updated >= $since AND e.type LIKE 'message.part.updated%' AND e.data LIKE '%"type":"tool"%'
ORDER BY e.aggregate_id, e.seq`;
/** Parts as they are now, for those whose changes are not kept. */
const PARTS = `SELECT p.id, s.id AS session_id, s.parent_id, s.directory, p.time_created, p.data
FROM part p JOIN session s ON s.id = p.session_id
WHERE p.time_created >= $since AND p.data LIKE '{"type":"tool"%'
ORDER BY p.time_created, p.id`;
export function outputPluginHistory(name) {
    return {
        event: 'tool.execute.before',
        notes: ['Sessions from before it had a database are not read.'],
        places: ({ home, env }) => [
            {
                folder: join(env.XDG_DATA_HOME || join(home, '.local/share'), name),
                files: new RegExp(`^${name}[\\w-]*\\.db$`),
                kind: 'rows',
                queries: [CHANGES, PARTS],
            },
        ],
        recognises: ({ session_id, directory, data }, path) => basename(path).startsWith(name) &&
            typeof session_id === 'string' &&
            typeof directory === 'string' &&
            typeof data === 'string',
        reader,
    };
}
function reader() {
    const seen = new Set();
    return {
        *read(row) {
            const data = record(JSON.parse(String(row.data)));
            const part = isRecord(data.part) ? data.part : data;
            const { tool, callID, state } = part;
            const id = string(row.id) ?? string(part.id);
            if (part.type !== 'tool' || !isRecord(state) || state.status === 'pending' || id === undefined)
                return;
            if (!seen.has(id)) {
                const at = Number(row.time_created ?? record(state.time).start);
                yield {
                    call: id,
                    payload: {
                        event: 'tool.execute.before',
                        cwd: row.directory,
                        sessionID: row.session_id,
                        ...(string(row.parent_id) ? { parentID: row.parent_id } : {}),
                        input: { tool, sessionID: row.session_id, callID },
                        output: { args: state.input },
                    },
                    ...(Number.isFinite(at) ? { at: new Date(at).toISOString() } : {}),
                };
            }
            seen.add(id);
            if (state.status !== 'running')
                yield { ended: id, how: howItEnded(state) };
        },
    };
}
const REFUSED = /rejected permission|rule which prevents you/;
function howItEnded({ status, error }) {
    if (status !== 'error')
        return 'ran';
    return REFUSED.test(String(error)) ? 'refused' : 'failed';
}
