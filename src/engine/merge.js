/** Many outcomes → one, by the merge rule of each row of the table of effects. */
import { EFFECTS } from '../spec/effects.ts';
export function merging(rows) {
    const fields = listed(rows);
    const strong = fields.filter(({ row: { strength } }) => strength !== undefined);
    const strengthOf = (answer) => {
        let most = 0;
        for (const { field, row } of strong) {
            const value = answer[field];
            if (value !== undefined)
                most = Math.max(most, row.strength(value));
        }
        return most;
    };
    return (merged, next, hook) => {
        if (isEmpty(next))
            return merged;
        const how = { wins: strengthOf(next) > strengthOf(merged), input: hook.input_merge };
        const out = {};
        for (const { field, row } of fields) {
            if (merged[field] === undefined && next[field] === undefined)
                continue;
            const value = row.merge(merged[field], next[field], how);
            if (value !== undefined)
                out[field] = value;
        }
        return out;
    };
}
export const merge = merging(EFFECTS);
/** An operation that is refused, or left to a person, takes nothing along that was meant for one that goes on. */
export function refusing(rows) {
    const affected = listed(rows).filter(({ row: { refused } }) => refused !== undefined);
    return (answer) => {
        const by = isBlock(answer) ? 'deny' : answer.decision === 'ask' ? 'ask' : null;
        if (by === null)
            return answer;
        const out = { ...answer };
        for (const { field, row } of affected) {
            if (out[field] === undefined)
                continue;
            const left = row.refused(out[field], by);
            if (left === undefined)
                delete out[field];
            else
                out[field] = left;
        }
        return out;
    };
}
export const refuse = refusing(EFFECTS);
/** Objects, since taking a pair apart at each event takes V8 longer than all the rest. */
export function listed(rows) {
    return Object.entries(rows).map(([field, row]) => ({ field, row }));
}
/** Does it stop the operation? */
export function isBlock(outcome) {
    return outcome.decision === 'deny' || outcome.stop !== undefined;
}
/** Most hooks have nothing to say. */
export function isEmpty(outcome) {
    for (const _ in outcome)
        return false;
    return true;
}
