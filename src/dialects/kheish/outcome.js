/** The text a hook answers with → Kheish's outcome. Whatever is malformed is a failure that no retry can mend. */
import { messageOf } from '../../spec/errors.ts';
import { CONTRACT_VERSION } from './events.ts';
export class MalformedOutcome extends Error {
}
/** Nothing said: go on. */
const DEFAULT = {
    continue_execution: true,
    updated_permissions: [],
    additional_contexts: [],
    watch_paths: [],
    retry: false,
};
/** Whole JSON, else what a fence holds, else the first balanced object. */
export function parseOutcomeText(text) {
    const trimmed = text.trim();
    if (trimmed === '')
        return DEFAULT;
    const whole = parse(trimmed);
    if (!(whole instanceof Error))
        return parseOutcome(whole);
    const fenced = /^```(?:json)?([\s\S]*)```$/.exec(trimmed)?.[1]?.trim() ?? trimmed;
    const candidate = balanced(fenced, '{', '}');
    const part = candidate === undefined ? whole : parse(candidate);
    if (part instanceof Error)
        throw new MalformedOutcome('malformed hook outcome: it is not JSON');
    return parseOutcome(part);
}
export function parseOutcome(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw new MalformedOutcome('malformed hook outcome: expected a JSON object');
    const fields = value;
    checkVersion(fields);
    return {
        continue_execution: boolean(fields, 'continue_execution', true),
        ...optional('stop_reason', string(fields, 'stop_reason')),
        ...optional('decision', oneOf(fields, 'decision', ['approve', 'block'])),
        ...optional('permission', oneOf(fields, 'permission', ['allow', 'deny', 'ask'])),
        ...optional('updated_input', object(fields, 'updated_input')),
        ...optional('updated_output', fields.updated_output ?? undefined),
        updated_permissions: list(fields, 'updated_permissions').map(permissionUpdate),
        additional_contexts: list(fields, 'additional_contexts').map(text('additional_contexts')),
        ...optional('initial_user_message', string(fields, 'initial_user_message')),
        watch_paths: list(fields, 'watch_paths').map(text('watch_paths')),
        retry: boolean(fields, 'retry', false),
    };
}
/** A later contract is refused rather than misread. */
function checkVersion(fields) {
    const version = fields.contract_version;
    if (version === undefined)
        return;
    if (typeof version !== 'number' || !Number.isInteger(version) || version < 0)
        throw new MalformedOutcome('malformed hook outcome contract_version');
    if (version > CONTRACT_VERSION)
        throw new MalformedOutcome(`unsupported hook outcome contract_version ${version}`);
}
function permissionUpdate(value) {
    if (typeof value !== 'object' || value === null)
        wrong('updated_permissions', 'a list of objects', value);
    const fields = value;
    const scope = oneOf(fields, 'scope', ['user', 'project', 'session']);
    const pattern = string(fields, 'tool_name_pattern');
    const behavior = oneOf(fields, 'behavior', ['allow', 'deny', 'ask']);
    if (scope === undefined || pattern === undefined || behavior === undefined)
        return wrong('updated_permissions', 'entries with scope, tool_name_pattern and behavior', value);
    return { scope, tool_name_pattern: pattern, behavior, ...optional('reason', string(fields, 'reason')) };
}
function parse(text) {
    try {
        return JSON.parse(text);
    }
    catch (error) {
        return error instanceof Error ? error : new Error(messageOf(error));
    }
}
function balanced(text, open, close) {
    const start = text.indexOf(open);
    if (start < 0)
        return undefined;
    let depth = 0;
    let quoted = false;
    for (let i = start; i < text.length; i++) {
        const char = text[i];
        if (quoted) {
            if (char === '\\')
                i++;
            else if (char === '"')
                quoted = false;
        }
        else if (char === '"')
            quoted = true;
        else if (char === open)
            depth++;
        else if (char === close && --depth === 0)
            return text.slice(start, i + 1);
    }
    return undefined;
}
function wrong(field, expected, value) {
    throw new MalformedOutcome(`malformed hook outcome: ${field} must be ${expected}, not ${shown(value)}`);
}
/** Only short words: a piece of a longer text might be a piece of a secret. */
function shown(value) {
    if (Array.isArray(value))
        return 'a list';
    if (typeof value === 'object' && value !== null)
        return 'an object';
    if (typeof value === 'string' && !/^[\w -]{0,20}$/.test(value))
        return 'another text';
    return JSON.stringify(value) ?? String(value);
}
function boolean(fields, name, fallback) {
    const value = fields[name];
    if (value === undefined)
        return fallback;
    return typeof value === 'boolean' ? value : wrong(name, 'true or false', value);
}
function string(fields, name) {
    const value = fields[name] ?? undefined;
    return value === undefined || typeof value === 'string' ? value : wrong(name, 'a string', value);
}
function object(fields, name) {
    const value = fields[name] ?? undefined;
    if (value === undefined)
        return undefined;
    if (typeof value !== 'object' || Array.isArray(value))
        return wrong(name, 'an object', value);
    return value;
}
function oneOf(fields, name, words) {
    const value = fields[name] ?? undefined;
    if (value === undefined)
        return undefined;
    const found = words.find((word) => word === value);
    return found ?? wrong(name, words.map((word) => `"${word}"`).join(' or '), value);
}
function list(fields, name) {
    const value = fields[name];
    if (value === undefined)
        return [];
    return Array.isArray(value) ? value : wrong(name, 'a list', value);
}
function text(name) {
    return (value) => (typeof value === 'string' ? value : wrong(name, 'a list of strings', value));
}
function optional(key, value) {
    return value === undefined ? {} : { [key]: value };
}
