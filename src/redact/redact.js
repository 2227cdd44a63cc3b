/** Takes secrets out of text before it is kept or shown. When in doubt, a word is taken out. */
import { findSecrets } from './find.ts';
import { secretValues } from './find-known.ts';
import { MARK, markOf, REDACTED } from './mark.ts';
import { HINT, isCount, isPerhapsSecretKey, isSecretKey } from './names.ts';
import { isPlaceholder, looksRandom } from './placeholders.ts';
/** Objects deeper than this are replaced as a whole. */
const DEEPEST = 64;
/** Short words, names and paths, digests and UUIDs, which most texts of a record are: no need to look closer. */
const NAME = /^(?:[A-Za-z0-9]{0,11}[/._-])*[A-Za-z0-9]{0,11}$/;
const DIGEST = /^(?:[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
/** Letters and digits side by side, or many digits: it may be a key of short parts. */
const MIXED = /[A-Za-z]\d|\d[A-Za-z]|\d{5}/;
/** A sentence of short words, none of which announces a secret. */
const SENTENCE = /^[A-Z]?[a-z]{1,11}(?:,? [a-z]{1,11})*[.!?]?$/;
const ANNOUNCED = /login|bearer|basic|identified/i;
/**
 * A command of short words, paths and long flags; of short flags those that take a password in no program of
 * find-commands.ts. `redact.test.ts` compares both with a search.
 */
const COMMAND = /^(?:(?:-[cefgijlmoqrtvxyz]{1,3}|(?:--|[/.]{1,3})?[A-Za-z]{1,11}(?:[._-][A-Za-z]{1,11}){0,3}(?:\/[A-Za-z]{1,11}(?:[._-][A-Za-z]{1,11}){0,3}){0,8}\/?|[/.]{1,3})(?: |$))+$/;
/** What such words can still hold: the heads of tokens and hooks, a program that takes a password as a word. */
const HEADS = ['eyJ', 'ZXlK', 'hooks.', 'add_user'];
/** Time grows with the length of the text only, whatever is in it. */
export function redact(text) {
    if (harmless.has(text))
        return text;
    // In a name of short parts nothing but a key of such parts can hide.
    const clean = isPlain(text) ? text : search(text, NAME.test(text));
    if (clean === text && text.length <= LONGEST_REMEMBERED)
        remember(text);
    return clean;
}
function remember(text) {
    remembered += text.length;
    if (remembered > MOST_CHARACTERS || harmless.size >= MOST_REMEMBERED) {
        harmless.clear();
        remembered = text.length;
    }
    harmless.add(text);
}
/** Most processes keep one record: what is needed to look closer takes longer to get ready than all of this. */
function isPlain(text) {
    for (const value of learnt)
        if (text.includes(value))
            return false;
    if ((text.length === 64 || text.length === 36) && DIGEST.test(text))
        return true;
    for (const head of HEADS)
        if (text.includes(head))
            return false;
    if (NAME.test(text) && !MIXED.test(text))
        return true;
    if (!SENTENCE.test(text) && !COMMAND.test(text))
        return false;
    return !ANNOUNCED.test(text) && !HINT.test(text);
}
/** For the name of a hook or a tool: `q-secret:before[0]` is no secret called `before[0]`. */
export function redactName(name) {
    return isPlain(name) ? name : search(name, OF_PARTS.test(name));
}
/** `command:file:trigger[0]`, as hooks without a name of their own are called. */
const OF_PARTS = /^[\w. /-]+(?::[\w. /-]+)+(?:\[\d+\])?$/;
function search(text, byLooks = false) {
    const found = findSecrets(text, { known: learnt, byLooks });
    if (found.length === 0)
        return text;
    let out = '';
    let done = 0;
    for (const { kind, start, end } of found) {
        out += text.slice(done, start) + markOf(kind, text.slice(start, end));
        done = end;
    }
    return out + text.slice(done);
}
/** Texts in which nothing was found: the same names, and the same answers of guards, come again and again. */
const harmless = new Set();
let remembered = 0;
const LONGEST_REMEMBERED = 1024;
const MOST_CHARACTERS = 256 * 1024;
const MOST_REMEMBERED = 4096;
/** Values of secret variables of all environments that this process has seen. */
const learnt = new Set();
const MOST_LEARNT = 512;
let lastEnv;
/** From now on values of secret variables are taken out of every text, under whatever name they stand there. */
export function learnSecrets(env) {
    if (env === lastEnv)
        return;
    lastEnv = env;
    for (const value of secretValues(env)) {
        if (learnt.has(value))
            continue;
        if (learnt.size >= MOST_LEARNT)
            learnt.delete(learnt.values().next().value);
        learnt.add(value);
        harmless.clear();
        remembered = 0;
        openKeys.clear();
    }
}
/** Every text in it redacted, and everything below a key such as `password` gone: a copy, unless nothing is secret. */
export function redactDeep(value) {
    return isHarmless(value) ? value : walk(value, false, DEEPEST);
}
/** Nothing to redact, which is so for most records, and no text longer than that: it need not be copied. */
export function isHarmless(value, longest = Number.POSITIVE_INFINITY) {
    return isClean(value, longest, DEEPEST);
}
function isClean(value, longest, depth) {
    if (typeof value === 'string')
        return value.length <= longest && redact(value) === value;
    if (typeof value !== 'object' || value === null)
        return true;
    if (depth === 0)
        return false;
    if (Array.isArray(value)) {
        for (let i = 0; i < value.length; i++)
            if (isSecretFlag(value[i - 1]) || !isClean(value[i], longest, depth - 1))
                return false;
        return true;
    }
    if (!isOrdinary(value))
        return false;
    for (const key in value) {
        const field = value[key];
        if (isHookName(value, key)) {
            if (redactName(String(field)) !== field)
                return false;
        }
        else if (!(isOpenKey(key) || (redact(key) === key && !isSecretField(value, key, field))))
            return false;
        else if (!isClean(field, longest, depth - 1))
            return false;
    }
    return true;
}
/** The names of a record's own fields: neither secrets nor the names of some, whatever stands there. */
const openKeys = new Set();
function isOpenKey(key) {
    if (key === 'value')
        return false; // it may stand for what another field names
    if (openKeys.has(key))
        return true;
    if (key.length > LONGEST_REMEMBERED || redact(key) !== key || isSecretKey(key) || isPerhapsSecretKey(key))
        return false;
    if (openKeys.size >= MOST_REMEMBERED)
        openKeys.clear();
    openKeys.add(key);
    return true;
}
/** At most `limit` characters of it, redacted; a secret that the cut would spoil does not slip through. */
export function redactClipped(text, limit) {
    if (text.length <= limit)
        return clip(redact(text), limit);
    return clip(`${redact(wholeWords(text, limit + MARGIN))}…`, limit);
}
const MARGIN = 1024;
function clip(text, limit) {
    return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}
/** The start of a text without its last, perhaps incomplete, word. */
function wholeWords(text, length) {
    if (text.length <= length)
        return text;
    let end = length;
    while (end > length - MARGIN && !/\s/.test(text[end]))
        end--;
    return text.slice(0, end);
}
function walk(value, secret, depth) {
    if (typeof value === 'string')
        return secret ? whole(value) : redact(value);
    if (typeof value === 'number' || typeof value === 'bigint')
        return secret ? REDACTED : value;
    if (typeof value !== 'object' || value === null)
        return value;
    if (depth === 0)
        return REDACTED;
    if (Array.isArray(value))
        return value.map((item, i) => walk(item, secret || isSecretFlag(value[i - 1]), depth - 1));
    if (!isOrdinary(value)) {
        const plain = JSON.parse(JSON.stringify(value) ?? 'null');
        return walk(plain, secret, depth - 1);
    }
    const copy = {};
    for (const key of Object.keys(value)) {
        const field = value[key];
        const isSecret = secret || isSecretField(value, key, field);
        const name = redact(key);
        const kept = isHookName(value, key) ? redactName(String(field)) : walk(field, isSecret, depth - 1);
        // As a plain assignment it would change what the copy inherits.
        if (name === '__proto__')
            Object.defineProperty(copy, name, { value: kept, enumerable: true });
        else
            copy[name] = kept;
    }
    return copy;
}
/** A text below a secret key. */
function whole(text) {
    return isPublic(text) ? text : markOf('field', text);
}
function isOrdinary(value) {
    const prototype = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null;
}
/** Of a hook's report. */
function isHookName(owner, key) {
    return key === 'name' && 'status' in owner && 'attempts' in owner;
}
function isSecretField(owner, key, field) {
    const name = nameOf(owner, key);
    if (isSecretKey(name))
        return !isCount(key, field) && !(typeof field === 'string' && isPublic(field));
    return typeof field === 'string' && isPerhapsSecretKey(name) && looksRandom(field);
}
function isPublic(text) {
    return isPlaceholder(text) || MARK.test(text);
}
/** In `{name: 'DB_PASSWORD', value: 'x'}` the value's name is not its key. */
function nameOf(owner, key) {
    const { name } = owner;
    return key === 'value' && typeof name === 'string' ? name : key;
}
/** `['--password', 'x']`, as programs get their arguments. */
function isSecretFlag(item) {
    return typeof item === 'string' && /^--?[\w-]+$/.test(item) && isSecretKey(item);
}
