/** What a model is asked to answer with, unless the hook's own format says otherwise. */
import { EFFECTS } from '../spec/effects.ts';
export function askedSchema(rows) {
    const asked = Object.entries(rows).flatMap(([field, { schema, asked: description }]) => description === null ? [] : [[field, { ...schema, description }]]);
    return { type: 'object', properties: Object.fromEntries(asked), required: [] };
}
export const OUTCOME_SCHEMA = askedSchema(EFFECTS);
