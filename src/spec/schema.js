/** The part of JSON Schema that the tables of this folder are written in, and the TypeScript type each schema describes. */
export const TEXT = { type: 'string' };
export const TEXTS = { type: 'array', items: TEXT };
/** What the schema wants in place of the value, in words; undefined when the value is right. */
export function mismatch(schema, value) {
    return accepts(schema, value) ? undefined : wanted(schema);
}
function accepts(schema, value) {
    switch (schema.type) {
        case undefined:
            return true;
        case 'string':
            if (typeof value !== 'string' || value.length < (schema.minLength ?? 0))
                return false;
            return schema.enum?.includes(value) ?? true;
        case 'number':
            return Number.isFinite(value) && value >= (schema.minimum ?? Number.NEGATIVE_INFINITY);
        case 'boolean':
            return typeof value === 'boolean';
        case 'array':
            return Array.isArray(value) && value.every((item) => accepts(schema.items, item));
        case 'object':
            return typeof value === 'object' && value !== null && !Array.isArray(value) && fits(schema, value);
    }
}
function fits({ properties, required, additionalProperties }, value) {
    const given = value;
    if (required?.some((name) => given[name] === undefined))
        return false;
    return Object.entries(given).every(([name, item]) => {
        const field = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
        return field ? item === undefined || accepts(field, item) : additionalProperties !== false;
    });
}
/** A schema in words: `a text`, `a list of texts`. */
export function wanted(schema) {
    if (schema.type === 'string' && schema.enum)
        return schema.enum.join(' or ');
    if (schema.type === 'array')
        return `a list of ${ITEMS[schema.items.type ?? 'any']}${fieldsOf(schema.items)}`;
    return `${WORDS[schema.type ?? 'any']}${fieldsOf(schema)}`;
}
const WORDS = {
    string: 'a text',
    number: 'a number',
    boolean: 'true or false',
    object: 'an object',
    any: 'anything',
};
const ITEMS = {
    string: 'texts',
    number: 'numbers',
    boolean: 'true or false',
    array: 'lists',
    object: 'objects',
    any: 'anything',
};
function fieldsOf(schema) {
    return schema.type === 'object' && schema.required ? ` with ${schema.required.join(', ')}` : '';
}
