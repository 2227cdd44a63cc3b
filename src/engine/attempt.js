/** One hook with its time limit and its retries. */
import { now } from '../fast/clock.ts';
import { messageOf } from '../spec/errors.ts';
import { isFailure } from '../spec/outcome.ts';
/** Milliseconds to wait before the second, third and fourth attempt. */
const BACKOFF_MS = [50, 100, 200];
/** Milliseconds to wait at most, whatever a hook's server asks for. */
const MAX_PAUSE_MS = 30000;
/** Milliseconds an executor has to end after its signal; then it is left behind. */
const ABORT_GRACE_MS = 1500;
export async function attempt(planned, event, lent, started) {
    const { hook } = planned;
    const end = started + hook.timeout;
    let left = hook.timeout;
    let spent = 0;
    for (let attempts = 1;; attempts++) {
        const answer = await limited(planned, event, lent, left, attempts);
        // What earlier attempts cost was paid all the same.
        if (answer.cost_usd !== undefined)
            answer.cost_usd = spent += answer.cost_usd;
        else if (spent > 0)
            answer.cost_usd = spent;
        if (isLast(planned, answer, attempts))
            return { ...answer, attempts };
        const { retry_after } = answer.outcome;
        const pause = Math.min(retry_after ?? BACKOFF_MS[attempts - 1] + Math.random() * 25, MAX_PAUSE_MS);
        // Nobody is helped by waiting for a time in which no further attempt would fit.
        if (hook.budget === 'total' && pause >= end - now())
            return { ...answer, attempts };
        await sleep(pause);
        if (hook.budget === 'total' && now() >= end)
            return { ...answer, attempts };
        left = hook.budget === 'total' ? end - now() : hook.timeout;
    }
}
function isLast({ hook }, { outcome }, count) {
    return !isFailure(outcome) || !outcome.retryable || count > hook.retries;
}
async function limited(planned, event, lent, left, count) {
    const { hook, direct } = planned;
    const limits = new Limits(Math.max(1, left), count);
    try {
        const work = direct
            ? called(direct, event, limits.signal, tooLate(hook))
            : lent.execute(planned, event, limits);
        return await within(work, limits, tooLate(hook));
    }
    catch (thrown) {
        return { outcome: { failed: true, kind: 'failed', retryable: true, message: messageOf(thrown) } };
    }
}
/** A class, since every literal with a getter has a shape of its own: V8 would make and keep one for each attempt. */
class Limits {
    timeout;
    attempt;
    controller;
    constructor(timeout, attempt) {
        this.timeout = timeout;
        this.attempt = attempt;
        this.controller = undefined;
    }
    /** Most hooks are done before anybody asks. */
    get signal() {
        this.controller ??= new AbortController();
        return this.controller.signal;
    }
    expire(message) {
        this.controller ??= new AbortController();
        this.controller.abort(new DOMException(message, 'TimeoutError'));
    }
}
function tooLate({ timeout }) {
    return { failed: true, kind: 'timed_out', retryable: true, message: `timed out after ${timeout} ms` };
}
async function within(work, limits, late) {
    let timer;
    const limit = new Promise((resolve) => {
        timer = setTimeout(() => {
            limits.expire(late.message);
            timer = setTimeout(() => resolve({ outcome: late }), ABORT_GRACE_MS);
        }, limits.timeout);
    });
    try {
        const answer = await Promise.race([work, limit]);
        // An executor knows only what was left for this attempt; people know the limit that they set.
        const isLate = isFailure(answer.outcome) && answer.outcome.kind === 'timed_out';
        return isLate ? { ...answer, outcome: { ...answer.outcome, message: late.message } } : answer;
    }
    finally {
        clearTimeout(timer);
    }
}
/** A function cannot be ended: at its time limit it is left behind. */
async function called(call, event, signal, late) {
    const stopped = new Promise((resolve) => signal.addEventListener('abort', () => resolve(late), { once: true }));
    const value = await Promise.race([call(event), stopped]);
    if (value === undefined || value === null)
        return { outcome: {} };
    if (typeof value !== 'object')
        return {
            outcome: {
                failed: true,
                kind: 'failed',
                retryable: false,
                message: `answered with a ${typeof value}, not an outcome`,
            },
        };
    return { outcome: value };
}
function sleep(ms) {
    return new Promise((resolve) => setTimeout(resolve, ms));
}
