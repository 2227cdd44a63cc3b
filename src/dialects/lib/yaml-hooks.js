/**
 * Our entries below `hooks:` of YAML settings, in whole lines that end in a mark, so that they can be taken out to the
 * byte. Loaded only while installing.
 */
import { load } from 'js-yaml';
import { CrosshookError, messageOf } from '../../spec/errors.ts';
import { isRecord, record } from './payload.ts';
const MARK = '# crosshook';
const MADE = `${MARK} made this file`;
const JOINED = `${MARK} put a line break before this`;
const WAS = `${MARK} was `;
const KEY = /^hooks[ \t]*:(.*)$/;
export function parseYaml(text) {
    // js-yaml takes a text without a value for an error.
    if (!/^[ \t]*[^#\s\uFEFF]/m.test(text))
        return {};
    try {
        return record(load(text.replace(/^\uFEFF/, '')) ?? {});
    }
    catch (thrown) {
        throw new CrosshookError('bad_settings', `The settings are no YAML: ${messageOf(thrown).split('\n')[0]}.`, {
            fix: 'Correct the file.',
            cause: thrown,
        });
    }
}
/** The text has none of our entries yet. */
export function addYamlHooks(text, entries) {
    const root = parseYaml(text ?? '');
    const eol = text?.includes('\r\n') ? '\r\n' : '\n';
    const lines = (text ?? '').split(/(?<=\n)/);
    const at = lines.findIndex((line) => KEY.test(line.trimEnd()));
    const edited = at < 0
        ? appended(text, entries, eol, root)
        : inserted(lines, at, record(root.hooks), root.hooks, entries, eol);
    check(edited, entries);
    return edited;
}
function appended(text, entries, eol, root) {
    if (Object.hasOwn(root, 'hooks'))
        throw unknownForm('"hooks"');
    const head = text === undefined ? MADE : text === '' || text.endsWith('\n') ? MARK : JOINED;
    const block = [`hooks: ${head}`, ...all(entries, '  ')].join(eol) + eol;
    return head === JOINED ? text + eol + block : (text ?? '') + block;
}
function inserted(lines, at, hooks, value, entries, eol) {
    const result = [...lines];
    if (Object.keys(hooks).length === 0) {
        if (value !== null && !isRecord(value))
            throw unknownForm('"hooks"');
        const bare = lines[at].trimEnd();
        result[at] =
            [`hooks: ${WAS}${JSON.stringify(bare)}`, ...all(entries, '  ')].join(eol) +
                lines[at].slice(bare.length);
        return result.join('');
    }
    if (lines[at].trimEnd().replace(/#.*$/, '').trim() !== 'hooks:')
        throw unknownForm('"hooks"');
    const indent = /^[ ]+(?=[^ #\r\n])/.exec(lines.slice(at + 1).find((line) => /^[ ]*[^ #\r\n]/.test(line)) ?? '')?.[0];
    if (indent === undefined)
        throw unknownForm('"hooks"');
    const fresh = Object.entries(entries).filter(([event]) => !Object.hasOwn(hooks, event));
    // From the end, so that line numbers before it stay as they are.
    const known = Object.keys(entries)
        .filter((event) => Object.hasOwn(hooks, event))
        .map((event) => ({
        event,
        line: lines.findIndex((line) => line.replace(/#.*$/, '').trimEnd() === `${indent}${event}:`),
    }))
        .sort((a, b) => b.line - a.line);
    for (const { event, line } of known) {
        const dash = line < 0 ? undefined : /^[ ]*(?=- )/.exec(lines[line + 1] ?? '')?.[0];
        if (dash === undefined)
            throw unknownForm(`"hooks.${event}"`);
        result.splice(line + 1, 0, ...item(entries[event], dash).map((each) => each + eol));
    }
    result.splice(at + 1, 0, ...all(Object.fromEntries(fresh), indent).map((each) => each + eol));
    return result.join('');
}
function all(entries, indent) {
    return Object.entries(entries).flatMap(([event, lines]) => [
        `${indent}${event}: ${MARK}`,
        ...item(lines, `${indent}  `),
    ]);
}
function item(lines, indent) {
    return lines.map((line, i) => `${indent}${i === 0 ? '- ' : '  '}${line} ${MARK}`);
}
/** The text without our lines; undefined when the file was ours alone. */
export function removeYamlHooks(text) {
    const lines = text.split(/(?<=\n)/);
    const wasMade = lines.some((line) => line.trimEnd().endsWith(MADE));
    const wasJoined = lines.some((line) => line.trimEnd().endsWith(JOINED));
    const kept = lines.flatMap((line) => {
        const bare = line.trimEnd();
        const was = bare.indexOf(WAS);
        if (was >= 0)
            return [String(JSON.parse(bare.slice(was + WAS.length))) + line.slice(bare.length)];
        return [MARK, MADE, JOINED].some((mark) => bare.endsWith(mark)) ? [] : [line];
    });
    const rest = kept.join('');
    if (wasMade && rest === '')
        return undefined;
    return wasJoined ? rest.replace(/\r?\n$/, '') : rest;
}
function check(text, entries) {
    const hooks = record(parseYaml(text).hooks);
    for (const event of Object.keys(entries))
        if (!Array.isArray(hooks[event]))
            throw unknownForm(`"hooks.${event}"`);
}
function unknownForm(what) {
    return new CrosshookError('bad_settings', `${what} is written in a form that cannot be added to. Nothing was changed.`, { fix: 'Write it as a block: one event a line below "hooks:", and its hooks as a list with dashes.' });
}
