/**
 * The answer of a hook that has a fixed one, at once: no time limit, no permit and no promise for what is known already.
 * The slow twin is `execute` of pipeline/run/execute.ts, which is asked where this gives undefined (bench/race.ts).
 */
import { isFailure } from '../spec/outcome.ts';
/** `read` is what the hook's format makes of it. */
export function fixedAnswer({ run, cache, redact_reasons }, read) {
    if (run.type !== 'outcome' || cache || redact_reasons)
        return undefined;
    try {
        const answer = read({ value: run.outcome });
        // What cannot be read is tried again and told of there.
        return isFailure(answer.outcome) ? undefined : answer;
    }
    catch {
        return undefined;
    }
}
