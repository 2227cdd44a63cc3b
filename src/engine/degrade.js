/** An outcome → what an agent can carry out of it. Never silent and never weaker. */
import { EFFECTS } from '../spec/effects.ts';
import { listed, refusing } from './merge.ts';
const NOTHING = { event: '', deny: false, effects: [] };
export function degrading(rows) {
    const demanding = listed(rows).filter(({ row: { needs } }) => needs !== null);
    const refuse = refusing(rows);
    return (wanted, capability = NOTHING, agent) => {
        let outcome = { ...wanted };
        const values = outcome;
        const notes = [];
        for (const { field, row } of demanding) {
            const value = values[field];
            if (value === undefined)
                continue;
            const { needs, refused } = row;
            if (needs.applies?.(value) === false || can(capability, needs.effect))
                continue;
            delete values[field];
            if (needs.otherwise === 'dropped') {
                notes.push(`${agent} takes no ${needs.effect} on this event: dropped`);
                continue;
            }
            // Refused for another reason already: nothing is lost, and nobody needs to know.
            if (outcome.decision === 'deny' && refused && refused(value, 'deny') === undefined)
                continue;
            const why = needs.otherwise(value, agent);
            notes.push(why);
            deny(outcome, why);
        }
        outcome = refuse(outcome);
        if (outcome.decision === 'deny' && !capability.deny) {
            notes.push(`${agent} cannot be stopped on this event: the block is only reported`);
            delete outcome.decision;
            outcome.user_message = [outcome.user_message, outcome.reason].filter(Boolean).join('\n');
        }
        return { outcome, notes };
    };
}
export const degrade = degrading(EFFECTS);
function can({ effects }, effect) {
    return effects.includes(effect);
}
function deny(outcome, why) {
    if (outcome.decision === 'deny')
        outcome.reason ??= why;
    else {
        outcome.decision = 'deny';
        outcome.reason = outcome.reason ? `${outcome.reason} (${why})` : why;
    }
}
