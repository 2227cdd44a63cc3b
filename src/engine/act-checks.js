/** Conditions on what a call does: one and the same act must satisfy all of them. */
import { matchesOne } from '../spec/act.ts';
import { environmentOf } from '../spec/environment.ts';
import { Unjudged } from './checks.ts';
import { compileGlob, compilePathGlob } from './glob.ts';
/** In this order, the first that is given carries the check of all. */
const FIELDS = ['does', 'place', 'host', 'program', 'certain'];
export function asksForActs(matcher) {
    return FIELDS.some((field) => matcher[field] !== undefined);
}
/** `path` belongs to the act where `does` is given; without it, it is about the paths that the tool names. */
export function isPathOfAct(matcher) {
    return matcher.does !== undefined;
}
export async function compileActs(field, matcher) {
    if (FIELDS.find((each) => matcher[each] !== undefined) !== field)
        return () => null;
    const tests = [];
    const { does, place, host, program, certain, path } = matcher;
    if (does)
        tests.push((act) => does.includes(act.does));
    if (place)
        tests.push((act) => matchesOne(place, (each) => act.places?.includes(each) ?? false));
    if (host)
        tests.push(named(host, (act) => act.host));
    if (program)
        tests.push(named(program, (act) => act.program));
    if (certain !== undefined)
        tests.push((act) => act.certain === certain);
    if (path !== undefined && isPathOfAct(matcher)) {
        const glob = await compilePathGlob(path);
        tests.push((act, { work_dir: folder }) => act.path !== undefined &&
            (glob(act.path, folder ?? '') || (act.spelled !== undefined && glob(act.spelled, folder ?? ''))));
    }
    const actsOf = await loadActsOf();
    const keys = mayWantKeys(matcher);
    return (event) => {
        const found = actsOf(event, keys);
        if (found.some((act) => tests.every((test) => test(act, event))))
            return null;
        const cut = found.find((act) => act.incomplete);
        if (cut)
            return new Unjudged(`${TOO_MUCH} (${cut.why})`, true);
        return found.length === 0
            ? 'the call does nothing that is known'
            : `no act of the call is what the hook wants (it does: ${[...new Set(found.map((act) => act.does))].join(', ')})`;
    };
}
const TOO_MUCH = 'the call is too long or too deep to be followed to its end: do it in smaller calls, or write long texts to a file first';
/** Keys in the text of a call take a look at all of it: only for those who ask. */
function mayWantKeys({ does, place, path, host, program }) {
    if (path !== undefined || host !== undefined || program !== undefined)
        return false;
    const wants = (given, word) => given === undefined || matchesOne(given, (each) => each === word);
    return wants(does, 'reveal_secret') && wants(place, 'text');
}
function named(patterns, of) {
    const globs = new Map(patterns.map((pattern) => [
        pattern.replace(/^!/, ''),
        compileGlob(pattern.replace(/^!/, '').toLowerCase()),
    ]));
    return (act) => {
        const name = of(act)?.toLowerCase();
        return name !== undefined && matchesOne(patterns, (pattern) => globs.get(pattern)(name));
    };
}
let loading;
/** The acts of an event; computed once for all hooks that ask. */
export function loadActsOf() {
    loading ??= load().catch((thrown) => {
        // An import that failed once may work the next time.
        loading = undefined;
        throw thrown;
    });
    return loading;
}
async function load() {
    const { loadFollowed } = await import('../acts/acts.ts');
    const { keysInText } = await import('../acts/keys-in-text.ts');
    const follow = loadFollowed();
    const known = { acts: new WeakMap(), all: new WeakMap() };
    return (event, withKeys = true) => {
        const input = event.tool_input;
        if (typeof input !== 'object' || input === null)
            return NO_ACTS;
        const call = () => ({
            tool_name: typeof event.tool_name === 'string' ? event.tool_name : '',
            tool_input: input,
            work_dir: event.work_dir ?? '',
            env: environmentOf(event) ?? {},
        });
        const acts = remembered(known.acts, input, () => follow(call()));
        return withKeys ? remembered(known.all, input, () => [...keysInText(call()), ...acts]) : acts;
    };
}
function remembered(known, input, make) {
    let found = known.get(input);
    if (!found)
        known.set(input, (found = make()));
    return found;
}
const NO_ACTS = [];
