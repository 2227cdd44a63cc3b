/** What counts of what hooks ask for. */
import { EFFECTS } from '../spec/effects.ts';
import { eventRow } from '../spec/event.ts';
import { isBlock } from './merge.ts';
export function accepting(rows) {
    return (answer, hook, eventType, warnings) => {
        const outcome = withKnownFields(answer, eventType, warnings);
        if (hook.blocks || (!isBlock(outcome) && outcome.decision !== 'ask'))
            return outcome;
        warnings.push(`hooks of this kind cannot block ${eventType}: the block is only reported (${outcome.reason ?? outcome.stop ?? 'no reason given'})`);
        const { decision: _decision, stop: _stop, reason: _reason, ...rest } = outcome;
        return rest;
    };
    function withKnownFields(answer, eventType, warnings) {
        const { effects } = eventRow(eventType);
        let outcome = answer;
        for (const field in answer) {
            if (outcome[field] === undefined)
                continue;
            const row = Object.hasOwn(rows, field) ? rows[field] : undefined;
            const isListed = effects.includes(row?.needs?.effect ?? field);
            if (row && (row.events === 'all' || isListed))
                continue;
            if (outcome === answer)
                outcome = { ...answer };
            delete outcome[field];
            warnings.push(row
                ? `${field} has no meaning on ${eventType}: ignored`
                : `an answer has no field "${field}": ignored`);
        }
        return outcome;
    }
}
export const accepted = accepting(EFFECTS);
/** What counts of a hook that ran beside the one that left it out: that it objects, and nothing else. */
export function objection(outcome, skipper, warnings) {
    const { decision, reason, stop, user_message } = outcome;
    const objects = isBlock(outcome) || decision === 'ask';
    const kept = { decision, reason, stop, user_message };
    if (Object.keys(outcome).some((field) => !objects || !(field in kept)))
        warnings.push(`"${skipper.name}" left out the hooks after it: what this one asked for is ignored`);
    if (!objects)
        return {};
    return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
}
