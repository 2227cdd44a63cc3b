/** The time limit of work that runs inside this process. */
import { messageOf } from '../spec/errors.ts';
import { failure } from '../spec/outcome.ts';
export function timedOut(timeout) {
    return failure(`timed out after ${timeout} ms`, { kind: 'timed_out' });
}
/** The value of the work, its failure, or the end of the time: whichever is first. */
export function withinTime(call, work) {
    try {
        const result = work();
        // Synchronous results need no timeout.
        return isThenable(result) ? awaited(call, result) : { value: result };
    }
    catch (thrown) {
        return failure(messageOf(thrown));
    }
}
async function awaited({ signal, timeout }, result) {
    if (signal.aborted)
        return timedOut(timeout);
    const promised = Promise.resolve(result);
    let onAbort = () => { };
    const limit = new Promise((resolve) => {
        onAbort = () => resolve(timedOut(timeout));
        signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
        return await Promise.race([limit, promised.then((value) => ({ value }))]);
    }
    catch (thrown) {
        return failure(messageOf(thrown));
    }
    finally {
        signal.removeEventListener('abort', onAbort);
    }
}
function isThenable(value) {
    return typeof value?.then === 'function';
}
