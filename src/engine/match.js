/** Which hooks apply to an event. Names of tools are judged once and remembered; the rest is asked each time. */
import { messageOf } from '../spec/errors.ts';
import { MATCHER_FIELDS, NESTED, NESTED_LIST } from '../spec/matcher.ts';
import { CHECKS, every, judgeNames, toolNames, Unjudged, } from './checks.ts';
/** The matchers that a table of fields and the checks of these fields describe. */
export function matching(rows, checks) {
    const isNameField = (field) => rows[field]?.of === 'tool name';
    const ordered = Object.keys(checks);
    const fieldsOf = {
        names: ordered.filter(isNameField),
        others: ordered.filter((field) => !isNameField(field)),
    };
    /** Most hooks are left out by the name of the tool alone: the rest is made ready when it is asked for. */
    function createMatcher(matcher) {
        const byName = conditions(matcher, fieldsOf.names);
        const hasTool = byName.length > 0;
        const hasRest = hasOthers(matcher);
        const names = lazy(() => nameCheck(byName));
        let rest;
        const restOf = () => (rest ??= makeRest(matcher));
        const restCheck = (event) => {
            try {
                const { quick, heavy } = restOf();
                return both(quick(event), () => heavy.get(event));
            }
            catch (thrown) {
                return new Unjudged(`its matcher failed: ${messageOf(thrown)}`);
            }
        };
        return {
            tool: (given) => !hasTool || (given !== null && typeof names.get(given) !== 'string'),
            unjudged: () => (hasTool ? names.failure() : undefined),
            rest: hasRest
                ? (event) => {
                    const verdict = restCheck(event);
                    return verdict instanceof Unjudged ? verdict : verdict === null;
                }
                : null,
            explain(event) {
                const verdict = both(hasTool ? names.get(toolNames(event)) : null, () => hasRest ? restCheck(event) : null);
                if (verdict instanceof Unjudged)
                    return { matched: false, because: verdict.because, unjudged: verdict };
                return { matched: verdict === null, because: verdict ?? 'every condition holds' };
            },
            load(event) {
                const tool = hasTool ? names.load() : null;
                if (!hasRest || event === undefined)
                    return tool;
                const { quick, heavy } = restOf();
                if (heavy.isReady())
                    return tool;
                if (event !== ANY_EVENT && isRuledOut(quick, event))
                    return tool;
                const loading = heavy.load();
                return tool && loading ? Promise.all([tool, loading]).then(() => undefined) : (tool ?? loading);
            },
        };
    }
    function makeRest(matcher) {
        const byEvent = conditions(matcher, fieldsOf.others);
        const unknown = unknownFields(matcher).map((field) => new Unjudged(unknownWords(field)));
        const isHeavy = byEvent.some(({ check }) => check.compile !== undefined);
        return {
            quick: every([quickCheck(byEvent, matcher), ...unknown.map((verdict) => () => verdict)]),
            heavy: lazy(() => (isHeavy ? eventCheck(byEvent, matcher) : holds)),
        };
    }
    /** Conditions beside the tool's name, known or not. */
    function hasOthers(matcher) {
        for (const field in matcher)
            if (matcher[field] !== undefined && !fieldsOf.names.includes(field))
                return true;
        return false;
    }
    /** The given conditions, in the order of the checks. */
    function conditions(matcher, fields = ordered) {
        const found = [];
        for (const field of fields) {
            const value = matcher[field];
            if (value !== undefined)
                found.push({ field, value: value, check: checks[field] });
        }
        return found;
    }
    function unknownFields(matcher) {
        return Object.entries(matcher)
            .filter(([field, value]) => value !== undefined && !Object.hasOwn(checks, field))
            .map(([field]) => field);
    }
    async function eventCheck(given, matcher) {
        const compiled = [];
        for (const { value, check } of given) {
            const { compile } = check;
            if (compile)
                compiled.push(await compile(value, matcher, nested));
        }
        return every(compiled);
    }
    async function nested(matcher) {
        const [problem] = await checkMatcher(matcher);
        if (problem)
            throw new Error(problem.message);
        const compiled = await compileMatcher(matcher);
        return (event) => {
            const { matched, because, unjudged } = compiled.explain(event);
            return matched ? null : (unjudged ?? because);
        };
    }
    async function compileMatcher(matcher) {
        const compiled = createMatcher(matcher);
        await compiled.load();
        await compiled.load(ANY_EVENT);
        return compiled;
    }
    async function checkMatcher(matcher, prefix = 'matcher') {
        const problems = unknownFields(matcher).map((field) => ({
            field: `${prefix}.${field}`,
            message: unknownWords(field),
        }));
        for (const { field, value, check } of conditions(matcher)) {
            const at = `${prefix}.${field}`;
            const { schema } = rows[field];
            try {
                if (schema === NESTED)
                    problems.push(...(await checkMatcher(value, at)));
                else if (schema === NESTED_LIST)
                    for (const [index, choice] of value.entries())
                        problems.push(...(await checkMatcher(choice, `${at}[${index}]`)));
                else if (isNameField(field))
                    await check.compile(value);
                else {
                    const { quick, compile } = check;
                    quick?.(value, matcher);
                    await compile?.(value, matcher, nested);
                }
            }
            catch (thrown) {
                problems.push({ field: at, message: messageOf(thrown) });
            }
        }
        return problems;
    }
    return { createMatcher, compileMatcher, checkMatcher: (matcher) => checkMatcher(matcher) };
}
export const { createMatcher, compileMatcher, checkMatcher } = matching(MATCHER_FIELDS, CHECKS);
/** A hook with a condition that nobody can judge must not run as if it had none. */
function unknownWords(field) {
    return `unknown condition \`${field}\`: this version of crosshook cannot judge it`;
}
const holds = () => null;
const ANY_EVENT = {};
/** A reason why not counts before what cannot be judged. */
function both(first, second) {
    if (typeof first === 'string')
        return first;
    const then = second();
    return typeof then === 'string' ? then : (first ?? then);
}
function isRuledOut(quick, event) {
    try {
        return typeof quick(event) === 'string';
    }
    catch {
        return false; // asked again when its turn comes, where it is reported
    }
}
/** A promise only when one of the conditions needs a library. */
function nameCheck(given) {
    const compiled = given.map(({ value, check }) => {
        const { compile, wants } = check;
        const test = compile(value);
        const judge = (ready) => (names) => judgeNames(names, wants(value), ready);
        return test instanceof Promise ? test.then(judge) : judge(test);
    });
    const isReady = (check) => !(check instanceof Promise);
    return compiled.every(isReady) ? every(compiled) : Promise.all(compiled).then(every);
}
function quickCheck(given, matcher) {
    const checks = [];
    for (const { value, check } of given) {
        const { quick } = check;
        if (!quick)
            continue;
        try {
            checks.push(quick(value, matcher));
        }
        catch (thrown) {
            const unjudged = new Unjudged(messageOf(thrown));
            checks.push(() => unjudged);
        }
    }
    return every(checks);
}
/** A check that may have to wait for a library. */
function lazy(compile) {
    let check;
    let loading;
    let failed;
    const ready = (compiled) => {
        check = compiled;
        failed = undefined;
    };
    const refuse = (thrown) => {
        failed = new Unjudged(`its matcher cannot be used: ${messageOf(thrown)}`);
        loading = undefined;
    };
    function load() {
        if (check)
            return null;
        if (loading)
            return loading;
        try {
            const started = compile();
            if (started instanceof Promise)
                return (loading = started.then(ready, refuse));
            ready(started);
        }
        catch (thrown) {
            refuse(thrown);
        }
        return null;
    }
    return {
        isReady: () => check !== undefined,
        load,
        get(input) {
            if (!check && !failed)
                load();
            // Still waiting only if an earlier hook rewrote the input into another kind of call: not ruled out.
            return check ? check(input) : (failed ?? null);
        },
        failure: () => failed,
    };
}
/** Tool names for which the hooks of an event are remembered. */
const MOST_REMEMBERED = 500;
/** By event and tool name, so that hooks which cannot match cost nothing. */
export function createIndex(items) {
    const byEvent = new Map();
    for (const item of items)
        for (const event of new Set(item.hook.events)) {
            const list = byEvent.get(event);
            if (list)
                list.push(item);
            else
                byEvent.set(event, [item]);
        }
    const remembered = new Map();
    const none = [];
    function byTool(event, list) {
        // Plain strings as keys, since this is asked at every event.
        const { tool_name: name, native_tool_name: native } = event;
        const key = native === undefined ? String(name) : `${name}\0${native}`;
        let known = remembered.get(event.event_type);
        if (!known)
            remembered.set(event.event_type, (known = new Map()));
        const found = known.get(key);
        if (found)
            return found;
        const select = () => {
            const names = toolNames(event);
            const items = list.filter(({ matcher }) => matcher.tool(names));
            const asks = items.filter(({ hook, matcher }) => matcher.rest !== null && !hook.unless_refused);
            const selected = { items, asks };
            if (list.some(({ matcher }) => matcher.unjudged()))
                return selected;
            if (known.size >= MOST_REMEMBERED)
                known.clear();
            known.set(key, selected);
            return selected;
        };
        const waits = list.map(({ matcher }) => matcher.load()).filter((wait) => wait !== null);
        return waits.length === 0 ? select() : Promise.all(waits).then(select);
    }
    function readyFor(event, { items, asks }) {
        if (asks.length === 0)
            return items;
        const waits = asks.map(({ matcher }) => matcher.load(event)).filter((wait) => wait !== null);
        return waits.length === 0 ? items : Promise.all(waits).then(() => items);
    }
    return {
        candidates(event) {
            const list = byEvent.get(event.event_type);
            if (!list)
                return none;
            const selected = byTool(event, list);
            return selected instanceof Promise
                ? selected.then((ready) => readyFor(event, ready))
                : readyFor(event, selected);
        },
    };
}
