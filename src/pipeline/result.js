/** What ran → the result that callers see, every field there. */
import { isBlock, isEmpty } from '../engine/merge.ts';
import { EFFECTS } from '../spec/effects.ts';
/** Every field of the table of effects that a result shows, with its value or the empty one. */
export function resulting(rows) {
    const shown = Object.entries(rows).flatMap(([field, { result }]) => (result ? [{ field, ...result }] : []));
    const lists = shown.filter(({ empty }) => Array.isArray(empty)).map(({ field }) => field);
    const empties = Object.fromEntries(shown.map(({ field, empty }) => [field, empty]));
    // Copied for each result: V8 does that faster than it makes an object of so many fields.
    const nothing = { event_type: '', ...empties, hooks: null };
    return ({ event_type }, { outcome, reports }) => {
        const result = { ...nothing };
        result.event_type = event_type;
        result.hooks = reports;
        for (const field of lists)
            result[field] = [];
        if (!isEmpty(outcome))
            fill(result, outcome);
        return result;
    };
    function fill(result, outcome) {
        const values = outcome;
        for (const { field } of shown)
            if (values[field] !== undefined)
                result[field] = values[field];
        if (!isBlock(outcome))
            return;
        result.decision = 'deny';
        result.reason ??= outcome.stop ?? null;
    }
}
export const toResult = resulting(EFFECTS);
