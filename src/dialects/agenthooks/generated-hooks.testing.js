/** HOOK.md files as different people write them: other quotes, comments, line ends, flow and block, unknown fields. */
import fc from 'fast-check';
const WORDS = [
    'Shell',
    'rm -rf /',
    'a: b',
    '# no comment',
    "it's",
    'say "no"',
    '~',
    'yes',
    '1e3',
    '\\.py$',
    '',
    ' x ',
];
const word = fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 12 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, '')));
const scalar = fc.oneof(word, fc.integer({ min: -5, max: 9999 }), fc.boolean(), fc.constant(null));
const key = fc.constantFrom('tool', 'path', 'does', 'x-own', 'place', 'agent', 'note');
const mapping = fc.dictionary(key, fc.oneof(scalar, fc.array(scalar, { minLength: 1, maxLength: 3 })), {
    minKeys: 1,
    maxKeys: 3,
});
const anything = fc.oneof(scalar, fc.array(fc.oneof(scalar, mapping), { minLength: 1, maxLength: 4 }), mapping);
const NAMES = [
    'matcher',
    'timeout',
    'priority',
    'outcome',
    'after',
    'x-company',
    'when',
    'metadata',
    'on_failure',
    'run',
];
const style = fc.record({
    quotes: fc.constantFrom('plain', 'single', 'double'),
    isFlow: fc.boolean(),
    comment: fc.option(fc.constantFrom('# why', '# : odd { [', "#'"), { nil: undefined }),
    above: fc.option(fc.constantFrom('# a line of its own', ''), { nil: undefined }),
});
export const generatedHook = fc
    .record({
    fields: fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), anything), {
        selector: ([name]) => name,
        maxLength: 7,
    }),
    styles: fc.array(style, { minLength: 10, maxLength: 10 }),
    newline: fc.constantFrom('\n', '\r\n'),
    mark: fc.constantFrom('', '\ufeff'),
    body: fc.constantFrom('', '# Title\n\ntext\n---\nmore: yes\n', 'no newline at the end'),
})
    .map(({ fields, styles, newline, mark, body }) => {
    const all = [
        ['name', 'made'],
        ['description', 'Made by a test.'],
        ['trigger', 'before_tool'],
        ...fields,
    ];
    const lines = all.flatMap(([name, value], i) => written(name, value, styles[i % styles.length], newline));
    return {
        text: `${mark}---${newline}${lines.join(newline)}${newline}---${newline}${body}`,
        fields: Object.fromEntries(all),
    };
});
function written(name, value, given, newline) {
    const end = given.comment === undefined ? '' : `   ${given.comment}`;
    const above = given.above === undefined ? [] : [given.above];
    if (typeof value !== 'object' || value === null)
        return [...above, `${name}: ${quoted(value, given)}${end}`];
    if (given.isFlow)
        return [...above, `${name}: ${flowed(value, given)}${end}`];
    const inner = Array.isArray(value)
        ? value.map((item) => `  - ${flowed(item, given)}${end}`)
        : Object.entries(value).map(([field, each]) => `  ${field}: ${flowed(each, given)}${end}`);
    return [...above, `${name}:${end}`, inner.join(`${newline}${given.above ?? '  # between'}${newline}`)];
}
function flowed(value, given) {
    if (Array.isArray(value))
        return `[${value.map((item) => flowed(item, given)).join(' ,')}]`;
    if (typeof value !== 'object' || value === null)
        return quoted(value, given);
    return `{${Object.entries(value)
        .map(([field, each]) => `${field}: ${flowed(each, given)}`)
        .join(', ')}}`;
}
/** Plain where that says the same. */
function quoted(value, { quotes }) {
    if (typeof value !== 'string')
        return value === null ? 'null' : String(value);
    if (quotes === 'plain' && /^[a-z]+( [a-z]+)*$/.test(value) && !/^(true|false|null|yes|no)$/.test(value))
        return value;
    return quotes === 'single' ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value);
}
/** An edit of one place, as a form would make it. */
export const someEdit = fc.record({
    at: fc.nat(),
    deep: fc.nat(),
    what: fc.constantFrom('set', 'remove', 'add'),
    value: anything,
    key,
});
const validField = fc.oneof(fc.tuple(fc.constant('timeout'), fc.integer({ min: 100, max: 600000 })), fc.tuple(fc.constant('priority'), fc.integer({ min: 0, max: 1000 })), fc.tuple(fc.constant('on_failure'), fc.constantFrom('open', 'closed')), fc.tuple(fc.constant('retries'), fc.integer({ min: 0, max: 3 })), fc.tuple(fc.constant('after'), fc.array(fc.constantFrom('one', 'two', "it's"), { minLength: 1, maxLength: 3 })), fc.tuple(fc.constant('x-company'), anything), fc.tuple(fc.constant('metadata'), mapping), fc.tuple(fc.constant('matcher'), fc.record({
    tool: fc.constantFrom('Shell', '(?i)write|edit', 'a: b'),
    path: fc.constantFrom('**/*.py', '*.md'),
    does: fc.constantFrom('delete', ['read', 'write']),
    agent: fc.constantFrom('codex', ['one', 'two']),
}, { requiredKeys: ['tool'] })));
/** One that loads, under a name of its own. */
export function loadableHook(name) {
    return fc
        .record({
        fields: fc.uniqueArray(validField, { selector: ([field]) => field, maxLength: 6 }),
        styles: fc.array(style, { minLength: 10, maxLength: 10 }),
        newline: fc.constantFrom('\n', '\r\n'),
        mark: fc.constantFrom('', '\ufeff'),
        body: fc.constantFrom('', '# Title\n\ntext\n---\nmore: yes\n', 'no newline at the end'),
    })
        .map(({ fields, styles, newline, mark, body }) => {
        const all = [
            ['name', name],
            ['description', 'Made by a test.'],
            ['trigger', 'before_tool'],
            ['outcome', { decision: 'ask', reason: 'may it?' }],
            ...fields,
        ];
        const lines = all.flatMap(([field, value], i) => written(field, value, styles[i % styles.length], newline));
        return {
            text: `${mark}---${newline}${lines.join(newline)}${newline}---${newline}${body}`,
            fields: Object.fromEntries(all),
        };
    });
}
