/** Stage 4: runs the hooks in their order and merges their answers. */
import { projectFolders } from '../config/repository.ts';
import { loadDialect } from '../dialects/list.ts';
import { foresee } from '../engine/plan.ts';
import { report, run as runHooks } from '../engine/run.ts';
import { now } from '../fast/clock.ts';
import { hasFailed } from './record.ts';
import { startInBackground } from './run/background.ts';
export async function run(context) {
    const { event, steps, dryRun } = context;
    if (dryRun) {
        context.ran = await wouldRun(event, steps);
        return;
    }
    const lines = context.services.debug ? await debugLines(context) : undefined;
    const passage = new Passage(context, hostFor(context), lines);
    const ran = await runHooks(steps, event, passage);
    context.ran = ran;
    context.outcome = ran.contexts.length === 0 ? ran.outcome : await framedContext(ran);
    context.failed = passage.failed;
    context.duration = now() - context.startedAt;
}
/** Formats that frame what their hooks say do it once for all hooks of the format, where the first of them stood. */
async function framedContext({ outcome, contexts, event }) {
    const texts = [];
    const framed = new Set();
    for (const { hook, texts: own } of contexts) {
        const { format } = await loadDialect(hook.format);
        if (!format?.wrapContext)
            texts.push(...own);
        else if (!framed.has(hook.format)) {
            framed.add(hook.format);
            const all = contexts
                .filter((other) => other.hook.format === hook.format)
                .flatMap((other) => other.texts);
            texts.push(...format.wrapContext(all, event));
        }
    }
    return { ...outcome, additional_context: texts };
}
/** The plan in place of what came of it: each hook with its step, then those that are barred. */
async function wouldRun(event, plan) {
    const { steps, others } = await foresee(plan, event);
    const reports = steps.flatMap(({ hooks }, at) => hooks.map(({ planned }) => ({
        ...report(planned.hook, 'skipped', 0),
        skipped: 'dry_run',
        step: at + 1,
    })));
    const barred = others
        .filter(({ skipped }) => skipped !== 'no_match')
        .map(({ planned, skipped }) => ({ ...report(planned.hook, 'skipped', 0), skipped }));
    return { outcome: {}, reports: [...reports, ...barred], event, contexts: [] };
}
async function debugLines({ services, event }) {
    const { debug } = services;
    if (!debug)
        return undefined;
    const [lines, { redactDeep }] = await Promise.all([import('./run/debug.ts'), import('../redact/redact.ts')]);
    return lines.debugLines(event, debug, redactDeep);
}
export function hostFor({ services, set, env, event, }) {
    const { settings } = set;
    return {
        env: withTrace(env, event),
        projects: projectFolders,
        sockets: [services.paths.runtime],
        allowedHosts: settings.allowed_hosts,
        models: settings.models,
        stateDir: services.stateDir,
        callbacks: services.callbacks,
        debug: services.debug ?? ignore,
    };
}
const ignore = () => { };
/** Programs find the trace they belong to in the variables that the W3C names. */
function withTrace(env, { context }) {
    const { traceparent, tracestate } = context;
    if (typeof traceparent !== 'string')
        return env;
    const more = typeof tracestate === 'string' ? { TRACESTATE: tracestate } : {};
    return { ...env, TRACEPARENT: traceparent, ...more };
}
/** What the engine is lent for one event. */
class Passage {
    failed = [];
    context;
    host;
    lines;
    constructor(context, host, lines) {
        this.context = context;
        this.host = host;
        this.lines = lines;
    }
    execute(planned, seen, limits) {
        return this.context.services.execute(this.host, planned, seen, limits);
    }
    atOnce(planned, seen) {
        return this.context.services.execute.atOnce(planned, seen);
    }
    background(planned, seen) {
        const { host, lines } = this;
        const { services, door } = this.context;
        if (services.onlyAsks)
            return;
        services.pending(startInBackground({ planned, event: seen, host, door, services, lines }));
    }
    started(hook) {
        this.lines?.started(hook);
        this.context.services.observe?.started?.(hook, this.context.event);
    }
    ended(hook, entry) {
        if (hasFailed(entry))
            this.failed.push({ hook, report: entry });
        this.lines?.ended(hook, entry);
        this.context.services.observe?.ended?.(hook, entry, this.context.event);
    }
}
