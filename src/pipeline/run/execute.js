/** One attempt at one hook: spoken to in its own words, run, and its answer read by its own rules. */
import { loadDialect, loadedDialect } from '../../dialects/list.ts';
import { EXECUTORS } from '../../executors/list.ts';
import { fixedAnswer } from '../../fast/fixed-answer.ts';
import { unheard } from '../../spec/attempted.ts';
import { failure, isFailure } from '../../spec/outcome.ts';
import { permits } from './permits.ts';
export function createExecute({ cache, runnable, remote, executors = {} }) {
    const loaded = new Map();
    const executorFor = async (type) => {
        let found = loaded.get(type);
        if (!found) {
            if (type === 'remote') {
                if (!remote)
                    throw new Error('hooks of SDK processes run only in the daemon');
                found = { executor: remote, permits: permits(Number.POSITIVE_INFINITY) };
            }
            else {
                const row = EXECUTORS[type];
                found = { executor: executors[type] ?? (await row.load()), permits: permits(row.permits) };
            }
            loaded.set(type, found);
        }
        return found;
    };
    /** Undefined where the hook has to be executed. */
    function atOnce(planned, event) {
        if (planned.hook.run.type !== 'outcome' || executors.outcome)
            return undefined;
        const hook = runnable ? runnable(planned.hook, event.work_dir) : planned.hook;
        const format = loadedDialect(planned.hook.format)?.format;
        if (isFailure(hook) || !format)
            return undefined;
        return fixedAnswer(hook, (raw) => answerOf(raw, format, event, hook));
    }
    async function execute(host, planned, event, limits) {
        const hook = runnable ? runnable(planned.hook, event.work_dir) : planned.hook;
        if (isFailure(hook))
            return { outcome: hook };
        const known = hook.cache ? cache?.get(hook, event) : undefined;
        if (known)
            return { ...known, cached: true };
        const dialect = loadedDialect(hook.format) ?? (await loadDialect(hook.format));
        const ready = loaded.get(hook.run.type) ?? (await executorFor(hook.run.type));
        const answer = await call(dialect.format, ready, { host, hook, event, limits });
        // Only what ended well is used again: a program that ended with another code is asked anew.
        if (hook.cache && !isFailure(answer.outcome) && !answer.exit_code)
            cache?.set(hook, event, answer);
        return answer;
    }
    return Object.assign(execute, { atOnce });
}
async function call(format, { executor, permits }, { host, hook, event, limits }) {
    if (!format)
        return { outcome: failure(`hooks of format ${hook.format} cannot be run`, { retryable: false }) };
    const call = new HookCall(format, { host, hook, event, limits });
    const raw = await permits.use(() => executor.run(call), limits);
    const answer = answerOf(raw, format, event, hook);
    return hook.redact_reasons ? { ...answer, outcome: await redacted(answer.outcome) } : answer;
}
/** A class, since every literal with a getter has a shape of its own: V8 would make and keep one for each call. */
class HookCall {
    hook;
    run;
    event;
    host;
    timeout;
    attempt;
    limits;
    format;
    encoded;
    constructor(format, { host, hook, event, limits }) {
        this.hook = hook;
        this.run = hook.run;
        this.event = event;
        this.host = host;
        this.timeout = limits.timeout;
        this.attempt = limits.attempt;
        this.limits = limits;
        this.format = format;
        this.encoded = undefined;
    }
    /** Many hooks never ask for it: they are given the event itself, or nothing. It may be large. */
    get input() {
        this.encoded ??= this.format.encode(this.event, this.hook, this.host.env);
        return this.encoded;
    }
    get signal() {
        return this.limits.signal;
    }
}
function answerOf(raw, format, event, hook) {
    const decoded = isFailure(raw)
        ? { outcome: raw }
        : heard(format.decode(raw, event, hook), raw, format);
    const warnings = [...(isFailure(raw) ? [] : (raw.notes ?? [])), ...(decoded.warnings ?? [])];
    return {
        outcome: decoded.outcome,
        exit_code: raw.exit_code ?? null,
        ...(raw.confined ? { confined: true } : {}),
        ...(raw.cost_usd ? { cost_usd: raw.cost_usd } : {}),
        ...(warnings.length > 0 ? { warnings } : {}),
    };
}
/** An answer without an error of which nothing was understood is no consent. */
function heard(decoded, raw, { exitDecides }) {
    if (!raw.stdout || exitDecides || isFailure(decoded.outcome))
        return decoded;
    const wrong = unheard(raw, decoded);
    if (wrong === undefined)
        return decoded;
    return {
        ...decoded,
        outcome: failure(`The answer cannot be read: ${wrong}.`, { exit_code: raw.exit_code ?? null }),
    };
}
/** Some formats promise that no secret reaches a reason. */
async function redacted(answer) {
    const { redact } = await import('../../redact/redact.ts');
    const clean = { ...answer };
    for (const field of ['reason', 'stop', 'user_message', 'message'])
        if (typeof clean[field] === 'string')
            clean[field] = redact(clean[field]);
    return clean;
}
