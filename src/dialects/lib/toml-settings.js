/** TOML settings: our tables go into one marked block at the end, and nothing else is touched. */
import { parse as parseToml } from 'smol-toml';
import { CrosshookError, messageOf } from '../../spec/errors.ts';
import { isRecord } from './payload.ts';
const BEGIN = '# >>> crosshook';
const ADDED = `${BEGIN}: added by \`crosshook install\`, taken out by \`crosshook uninstall\``;
const MADE = `${BEGIN}: this file was made by \`crosshook install\``;
const END = '# <<< crosshook';
/** Appends `lines` as a marked block. The result is read again before it is given out. */
export function addBlock(text, lines) {
    parseTomlSettings(text ?? '');
    const eol = text?.includes('\r\n') ? '\r\n' : '\n';
    const block = [text === undefined ? MADE : ADDED, ...lines, END].join(eol);
    // No line break at the end of our block says that there was none before it either.
    const edited = text && !text.endsWith('\n') ? text + eol + block : (text ?? '') + block + eol;
    try {
        parseToml(stripBom(edited));
    }
    catch (thrown) {
        throw new CrosshookError('bad_settings', `The settings define the same tables in a form that cannot be added to: ${firstLine(thrown)}. Nothing was changed.`, {
            fix: 'Write them as tables ([table] or [[list]]) instead of inline values, then try again.',
            cause: thrown,
        });
    }
    return edited;
}
/** The text without our block; undefined when the file was ours alone. */
export function removeBlock(text) {
    let left = text;
    for (;;) {
        const start = lineStart(left, BEGIN);
        if (start < 0)
            return left;
        const end = lineStart(left, END, start);
        if (end < 0)
            throw new CrosshookError('bad_settings', `"${BEGIN}" has no "${END}" after it. Nothing was changed.`, {
                fix: 'Take the lines out by hand.',
            });
        const wasMade = left.startsWith(MADE, start);
        const lineEnd = left.indexOf('\n', end);
        const before = left.slice(0, start);
        left = lineEnd < 0 ? before.replace(/\r?\n$/, '') : before + left.slice(lineEnd + 1);
        if (wasMade && left.trim() === '')
            return undefined;
    }
}
/** Takes out tables that are ours although their marks are gone (a program rewrote the file). */
export function removeTables(text, isOurs) {
    const lines = text.split(/(?<=\n)/);
    const kept = [];
    for (let i = 0; i < lines.length;) {
        const end = tableEnd(lines, i);
        const chunk = lines.slice(i, end).join('');
        const table = /^\s*\[/.test(lines[i]) ? tryParse(chunk) : undefined;
        if (!(table && isOurs(table)))
            kept.push(chunk);
        i = end;
    }
    const left = kept.join('');
    parseTomlSettings(left);
    return left;
}
export function parseTomlSettings(text) {
    try {
        return parseToml(stripBom(text));
    }
    catch (thrown) {
        throw new CrosshookError('bad_settings', `The settings are not valid TOML: ${firstLine(thrown)}. Nothing was changed.`, {
            cause: thrown,
        });
    }
}
/** A TOML string on one line. */
export function tomlString(value) {
    if (!/['\u0000-\u001f\u007f]/.test(value))
        return `'${value}'`;
    return JSON.stringify(value).replaceAll('\u007f', '\\u007F');
}
/** A chunk ends where the next header starts, unless that line is inside a text or a list. */
function tableEnd(lines, start) {
    for (let end = start + 1; end < lines.length; end++)
        if (/^\s*\[/.test(lines[end]) && tryParse(lines.slice(start, end).join('')))
            return end;
    return lines.length;
}
function tryParse(text) {
    try {
        const value = parseToml(stripBom(text));
        return isRecord(value) ? value : undefined;
    }
    catch {
        // Not a whole table yet: the caller takes more lines.
        return undefined;
    }
}
function lineStart(text, mark, from = 0) {
    for (let at = text.indexOf(mark, from); at >= 0; at = text.indexOf(mark, at + 1))
        if (at === 0 || text[at - 1] === '\n' || (at === 1 && text.startsWith('\uFEFF')))
            return at;
    return -1;
}
function stripBom(text) {
    return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
function firstLine(thrown) {
    return messageOf(thrown).split('\n')[0];
}
