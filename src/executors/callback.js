/** A function of the program that uses us as a library: its own, or one it registered by name. */
import { failure } from '../spec/outcome.ts';
import { withinTime } from './time-limit.ts';
export const callbackExecutor = {
    type: 'callback',
    run(call) {
        const { run, event, host } = call;
        const own = run.call;
        if (own)
            return withinTime(call, () => own(event));
        const named = host.callbacks.get(run.name);
        if (named)
            return withinTime(call, () => named(event, call.input.value ?? event));
        return failure(`No callback named '${run.name}' is registered: register it, or correct the name`, {
            retryable: false,
        });
    },
};
