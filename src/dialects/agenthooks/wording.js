/** A schema issue in words that a person can act on. */
import { didYouMean } from '../../spec/nearest.ts';
import { fieldsAt } from './schema.ts';
export function issueProblem(issue, root) {
    const field = issue.path.join('.');
    const value = valueAt(root, issue.path);
    const name = `\`${field}\``;
    if (value === undefined)
        return { field, message: `${name} is missing.`, fix: `Add a line \`${String(issue.path.at(-1))}: …\`.` };
    if (value === null)
        return { field, message: `${name} is empty.`, fix: 'Give it a value, or remove the line.' };
    switch (issue.code) {
        case 'invalid_type':
            return wrongType(field, issue.expected, value);
        case 'too_small':
            if (issue.origin === 'string')
                return { field, message: `${name} is empty.`, fix: 'Give it a value.' };
            return {
                field,
                message: `${name} is ${shown(value)}, below ${issue.minimum}.`,
                fix: `Use ${issue.minimum} or more.`,
            };
        case 'too_big':
            return {
                field,
                message: `${name} is ${shown(value)}, above ${issue.maximum}.`,
                fix: `Use ${issue.maximum} or less.`,
            };
        case 'invalid_value': {
            const values = issue.values.map(String);
            const hint = typeof value === 'string' ? didYouMean(value.slice(0, 80), values) : '';
            return {
                field,
                message: `${name} is ${shown(value)}.${hint}`,
                fix: `Use one of: ${values.join(', ')}.`,
            };
        }
        case 'unrecognized_keys': {
            const known = fieldsAt(issue.path);
            const unknown = issue.keys[0].slice(0, 80);
            return {
                field: `${field}.${unknown}`,
                message: `${name} has unknown fields: ${issue.keys.join(', ')}.${didYouMean(unknown, known)}`,
                fix: known.length > 0
                    ? `Remove or correct them; known are ${known.join(', ')}.`
                    : 'Remove or correct them.',
            };
        }
        case 'invalid_union': {
            const inner = issue.errors
                .flat()
                .find(({ code, path }) => code === 'invalid_value' && typeof valueAt(value, path) === 'string');
            if (inner)
                return issueProblem({ ...inner, path: [...issue.path, ...inner.path] }, root);
            return {
                field,
                message: `${name} must not be ${shown(value)}.`,
                fix: 'See the description of this field in the documentation.',
            };
        }
        default:
            return { field, message: `${name} ${issue.message}.`, fix: 'Correct this field.' };
    }
}
const TYPES = {
    string: 'a text',
    int: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    object: 'a mapping of fields',
    record: 'a mapping of fields',
    array: 'a list',
};
function wrongType(field, expected, value) {
    const message = `\`${field}\` must be ${TYPES[expected] ?? expected}, not ${shown(value)}.`;
    if (expected === 'boolean' && typeof value === 'string') {
        const meant = /^(yes|y|on|true|1)$/i.test(value)
            ? 'true'
            : /^(no|n|off|false|0)$/i.test(value)
                ? 'false'
                : undefined;
        return { field, message, fix: meant ? `Use ${meant}.` : 'Use true or false.' };
    }
    if (expected === 'string')
        return { field, message, fix: 'Write one text; put it between quotes if it looks like a number.' };
    if (expected === 'int' || expected === 'number')
        return { field, message, fix: 'Write a whole number without quotes or unit.' };
    return { field, message, fix: `Write ${TYPES[expected] ?? expected}.` };
}
function valueAt(root, path) {
    let value = root;
    for (const key of path) {
        if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
            return undefined;
        value = value[key];
    }
    return value;
}
function shown(value) {
    if (typeof value === 'string')
        return `"${value.slice(0, 60)}"`;
    if (typeof value === 'number' || typeof value === 'boolean')
        return String(value);
    return Array.isArray(value) ? 'a list' : 'a mapping';
}
