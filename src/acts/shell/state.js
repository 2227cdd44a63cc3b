/** What a shell knows while a line is followed: variables, functions, folders, what files hold. */
import { atMost, cutShort } from '../cut.ts';
export function newState(cwd) {
    return {
        variables: new Map(),
        references: new Map(),
        functions: new Map(),
        aliases: new Map(),
        hashed: new Map(),
        positional: [],
        cwd,
        folders: [],
        files: new Map(),
        descriptors: new Map(),
        input: null,
        through: [],
        active: new Set(),
        dotglob: false,
    };
}
/** A subshell: it sees everything and changes nothing but files. */
export function subshell(state) {
    return {
        ...state,
        variables: new Map(state.variables),
        references: new Map(state.references),
        functions: new Map(state.functions),
        aliases: new Map(state.aliases),
        hashed: new Map(state.hashed),
        folders: [...state.folders],
        descriptors: new Map(state.descriptors),
    };
}
const LONGEST_VALUE = 200000;
const MOST_ITEMS = 10000;
/** Of what commands print. */
const LONGEST_TEXT = 2000000;
export function resolveName(state, name) {
    for (let hops = 0; hops < 8; hops++) {
        const next = state.references.get(name);
        if (next === undefined)
            return name;
        name = next;
    }
    return name;
}
export function assign(state, name, value) {
    const target = resolveName(state, name);
    const [, base = target, index] = /^(\w+)\[(.*)\]$/.exec(target) ?? [];
    if (index !== undefined) {
        assignItem(state, base, index, value);
        return;
    }
    if (value.text.length <= LONGEST_VALUE)
        state.variables.set(target, value);
    else {
        cutShort(`the value of ${target} is longer than ${LONGEST_VALUE} characters`);
        state.variables.set(target, { text: `$${target}`, unknown: true });
    }
}
export function assignItem(state, name, index, value) {
    const before = state.variables.get(name);
    const items = new Map(before?.items ?? (before ? [['0', before]] : []));
    if (items.size < MOST_ITEMS)
        items.set(index, value);
    else
        cutShort(`more than ${MOST_ITEMS} items of an array`);
    state.variables.set(name, array(items));
}
export function array(items) {
    const first = items.get('0');
    return { text: first?.text ?? '', ...(first?.unknown && { unknown: true }), items };
}
export function mergeFlows(first, second) {
    if (first === second)
        return first;
    const union = (a = [], b = []) => [...new Set([...a, ...b])];
    const paths = union(first.paths, second.paths);
    const hosts = union(first.hosts, second.hosts);
    const text = first.text !== undefined &&
        second.text !== undefined &&
        first.text.length + second.text.length < LONGEST_TEXT
        ? first.text + second.text
        : undefined;
    const isTooLong = first.tooLong ||
        second.tooLong ||
        (text === undefined && first.text !== undefined && second.text !== undefined);
    return {
        ...(isTooLong && { tooLong: true }),
        ...(text !== undefined && { text }),
        ...(paths.length > 0 && { paths }),
        ...(hosts.length > 0 && { hosts }),
        ...(text !== undefined && (first.partly || second.partly) && { partly: true }),
        ...((first.decoded || second.decoded) && { decoded: true }),
        ...((first.environment || second.environment) && { environment: true }),
    };
}
export const NOTHING = Object.freeze({ text: '' });
export const UNKNOWN = Object.freeze({});
const MOST_OTHERS = 16;
/** After a branch that may be taken or not: a variable that it set may still have the value from before. */
export function keepOthers(state, before) {
    for (const [name, value] of state.variables) {
        const earlier = before.get(name);
        if (!earlier || earlier === value || earlier.text === value.text)
            continue;
        const all = [...(value.others ?? []), plain(earlier), ...(earlier.others ?? [])];
        const others = atMost(all, MOST_OTHERS, `values that ${name} may have`);
        state.variables.set(name, { ...value, others });
    }
}
function plain({ text, unknown, flow }) {
    return { text, ...(unknown && { unknown }), ...(flow && { flow }) };
}
