/**
 * Verdicts for a model's provider that asks before each prompt and each tool call (Inference hooks): machines on which nothing
 * is installed. The policy's own hooks decide, as far as they need no program: none is run on a hub.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { verifySigned } from '../ask/standard-webhooks.ts';
import { unpack } from '../fleet/wire/archive.ts';
import { beginning, encodeBatch } from '../fleet/wire/batch.ts';
import { compileSelector, parseManifest } from '../fleet/wire/policy.ts';
import { assemble } from '../host/assemble.ts';
import { Refusal } from '../host/problem.ts';
import { failure } from '../spec/outcome.ts';
import { parse } from './http/edge-routes.ts';
import { append, headOf, recordsOf } from './store/journal.ts';
import { blobOf, revisionsIn } from './store/revisions.ts';
import { tenantSettings } from './store/tenants.ts';
const block = z.looseObject({
    type: z.string(),
    text: z.string().nullish(),
    tool_name: z.string().nullish(),
    input: z.unknown().optional(),
});
/** Lenient: the protocol says that further fields, kinds and values come. */
const frameSchema = z.looseObject({
    type: z.string(),
    request_id: z.string(),
    session_id: z.string().nullish(),
    source: z.looseObject({ application: z.string().nullish() }).nullish(),
    messages: z.array(z.looseObject({ role: z.string(), content: z.array(block) })).default([]),
});
/** The name under which its records are kept, as if it were a machine. */
export const INFERENCE_EDGE = 'inference-hook';
const LONGEST_REASON = 500;
export function createInference(folder) {
    const engines = new Map();
    async function engineOf(hub, tenant) {
        const target = { id: INFERENCE_EDGE, name: INFERENCE_EDGE, labels: { source: INFERENCE_EDGE } };
        for (const row of await hub.db.within(tenant, (sql) => revisionsIn(sql, tenant, ['running', 'done', 'superseded']))) {
            const { stages, selector } = parseManifest(row.manifest);
            const { mode, percent } = stages[row.stage];
            // There is but one of it: it takes a policy when everybody does.
            if (mode !== 'enforce' || percent < 100 || !(await compileSelector(selector))(target))
                continue;
            const key = `${tenant}-${row.digest}`;
            let engine = engines.get(key);
            if (!engine) {
                engine = load(hub, tenant, row.digest, join(folder, key));
                engines.set(key, engine);
                engine.catch(() => engines.delete(key));
            }
            return { engine: await engine, revision: row.revision };
        }
        return undefined;
    }
    return {
        async judge(hub, tenant, headers, body) {
            const { inference_secret: secret } = await hub.db.within(tenant, (sql) => tenantSettings(sql, tenant));
            if (secret === undefined)
                throw refused(404, 'Inference hooks are not set up for this fleet.');
            try {
                verifySigned(secret, { headers: Object.fromEntries(headers), body: body.toString('utf8') });
            }
            catch (error) {
                throw refused(401, error.message);
            }
            const frame = parse(frameSchema, body);
            const found = await engineOf(hub, tenant);
            const events = eventsIn(frame);
            if (!found || events.length === 0)
                return { action: 'allow' };
            for (const { name, ...fields } of events) {
                const began = performance.now();
                const result = await found.engine.fire(name, { ...fields, session_id: frame.session_id ?? '', work_dir: '/' }, { cwd: '/' });
                // Nobody can be asked here: what a person should decide is not let through.
                const action = result.decision === 'allow' ? 'allow' : 'deny';
                const reason = (result.reason ?? 'The policy of your organisation does not allow this.').slice(0, LONGEST_REASON);
                await record(hub, tenant, found.revision, {
                    id: frame.request_id.slice(0, 200),
                    event: name,
                    session_id: (frame.session_id ?? '').slice(0, 200),
                    ...('tool_name' in fields ? { tool_name: fields.tool_name } : {}),
                    decision: result.decision,
                    duration_ms: performance.now() - began,
                    hooks: result.hooks
                        .filter(({ status }) => status !== 'skipped')
                        .map(({ name, status, duration_ms }) => ({ name, status, duration_ms })),
                });
                if (action === 'deny')
                    return {
                        action,
                        deny_reason: reason,
                        reference_id: frame.request_id.replaceAll(/[^\w.:/-]/g, '').slice(0, 50),
                    };
            }
            return { action: 'allow' };
        },
        async close() {
            for (const engine of engines.values())
                await (await engine).close();
        },
    };
}
/** What is new in the conversation: the texts of the last turn, or the tool calls at its end. */
function eventsIn({ type, messages, }) {
    const last = messages.at(-1);
    if (!last)
        return [];
    if (type === 'tool_call')
        return last.content
            .filter((each) => each.type === 'tool_use')
            .map(({ tool_name, input }) => ({
            name: 'before_tool',
            tool_name: tool_name ?? '',
            tool_input: typeof input === 'object' && input !== null ? input : {},
        }));
    if (type !== 'prompt' || last.role !== 'user')
        return [];
    const prompt = last.content.flatMap(({ text }) => text ?? []).join('\n');
    return prompt === '' ? [] : [{ name: 'before_agent', prompt }];
}
async function load(hub, tenant, digest, folder) {
    if (!existsSync(folder)) {
        const bytes = await hub.db.within(tenant, (sql) => blobOf(sql, tenant, digest));
        const temporary = `${folder}.${process.pid}.tmp`;
        rmSync(temporary, { recursive: true, force: true });
        unpack(bytes, temporary);
        if (!existsSync(folder))
            renameSync(temporary, folder);
    }
    const refusing = (kind) => ({
        type: kind,
        run: async () => failure('hooks that start programs are not run on a hub', { retryable: false }),
    });
    return assemble({
        env: { HOME: folder },
        source: 'daemon',
        silent: true,
        sources: [{ path: join(folder, 'hooks') }],
        executors: Object.fromEntries(['command', 'module', 'http', 'prompt', 'agent'].map((kind) => [kind, refusing(kind)])),
    });
}
async function record(hub, tenant, revision, fields) {
    await hub.db.within(tenant, async (sql) => {
        // One at a time: the number of a record follows from the one before.
        await sql.run('UPDATE pulse SET edges = edges WHERE tenant = $1', [tenant]);
        const head = (await headOf(sql, tenant, INFERENCE_EDGE, 'hub')) ?? {
            seq: 0,
            chain: beginning(INFERENCE_EDGE, 'hub'),
        };
        const first = head.seq + 1;
        const lines = [
            JSON.stringify({ seq: first, at: new Date().toISOString(), source: 'inference', ...fields }),
        ];
        const batch = { version: 1, epoch: 'hub', first, prev: head.chain, revision, lines };
        await append(sql, tenant, 'inference', [
            { edge: INFERENCE_EDGE, batch, bytes: encodeBatch(batch), records: recordsOf(batch) },
        ]);
    });
}
function refused(status, detail) {
    return new Refusal({ status, code: status === 401 ? 'unauthorized' : 'not_found', detail });
}
