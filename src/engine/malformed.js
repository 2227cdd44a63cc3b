/** An answer that came back without an error and still cannot be carried out: its hook has failed. */
import { EFFECTS } from '../spec/effects.ts';
import { eventRow } from '../spec/event.ts';
import { mismatch } from '../spec/schema.ts';
import { kindOf, TOOLS, wrongField } from '../spec/tool.ts';
/** What is wrong with it, as a sentence; undefined when nothing is. */
export function malformed(outcome, event, hook, rows = EFFECTS) {
    let known = 0;
    let given = 0;
    for (const field in outcome) {
        const value = outcome[field];
        if (value === undefined)
            continue;
        given++;
        if (!Object.hasOwn(rows, field))
            continue;
        known++;
        const wanted = mismatch(rows[field].schema, value);
        if (wanted !== undefined)
            return `answered with ${field} that is ${shown(value)}, not ${wanted}`;
    }
    if (given > 0 && known === 0)
        return `answered with an object that has no field of an outcome: ${Object.keys(outcome).slice(0, 5).join(', ')}`;
    if (outcome.updated_input === undefined)
        return undefined;
    const wrong = wrongInput(outcome.updated_input, event, hook);
    return wrong === undefined ? undefined : `answered with updated_input that cannot be used: ${wrong}`;
}
function wrongInput(updated, event, { input_merge }) {
    const { tool, fields } = eventRow(event.event_type);
    if (!tool)
        return wrongFields(updated, fields);
    const before = isObject(event.tool_input) ? event.tool_input : {};
    if (Object.keys(updated).length === 0 && Object.keys(before).length > 0)
        return 'it is empty';
    const after = input_merge === 'shallow' ? { ...before, ...updated } : updated;
    const name = String(event.tool_name ?? '');
    const wrong = wrongField(name, after);
    if (wrong !== undefined)
        return wrong;
    const main = Object.hasOwn(TOOLS, name) ? TOOLS[name].fields[0] : undefined;
    if (main !== undefined && before[main] !== undefined && after[main] === undefined)
        return `\`${main}\` of ${name} is missing`;
    // The tool took a text there a moment ago; what else it takes nobody has told us.
    const changed = Object.keys(after).find((field) => typeof before[field] === 'string' && typeof after[field] !== 'string' && !Array.isArray(after[field]));
    return changed === undefined ? undefined : `\`${changed}\` was a text and is ${kindOf(after[changed])}`;
}
function wrongFields(updated, fields) {
    const wrong = Object.keys(updated).find((field) => fields[field] === 'string' && typeof updated[field] !== 'string');
    if (wrong !== undefined)
        return `\`${wrong}\` is ${kindOf(updated[wrong])}, not a text`;
    return Object.keys(updated).length === 0 ? 'it is empty' : undefined;
}
function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
/** Only short words: a piece of a longer text might be a piece of a secret. */
function shown(value) {
    return typeof value === 'string' && /^[\w -]{0,40}$/.test(value) ? `"${value}"` : kindOf(value);
}
