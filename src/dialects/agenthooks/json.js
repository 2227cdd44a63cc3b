/** JSON on one line with `": "` and `", "`: the specification's sample scripts grep for `"command": "`. */
/** Without recursion, so that no depth of nesting can end the stack; a value that contains itself is null there. */
export function spacedJson(root) {
    const stack = [];
    const ancestors = new Set();
    let out = '';
    const write = (value) => {
        const plain = scalar(value);
        if (plain !== undefined) {
            out += plain;
            return;
        }
        const container = value;
        if (ancestors.has(container)) {
            out += 'null';
            return;
        }
        ancestors.add(container);
        const isList = Array.isArray(container);
        out += isList ? '[' : '{';
        const keys = isList ? null : Object.keys(container);
        stack.push({
            container,
            keys,
            values: isList ? container : Object.values(container),
            next: 0,
            written: 0,
        });
    };
    write(root);
    for (;;) {
        const frame = stack.at(-1);
        if (!frame)
            return out;
        if (frame.next === frame.values.length) {
            out += frame.keys ? '}' : ']';
            ancestors.delete(frame.container);
            stack.pop();
            continue;
        }
        const index = frame.next++;
        const value = plainValue(frame.values[index]);
        if (frame.keys && value === undefined)
            continue;
        if (frame.written++ > 0)
            out += ', ';
        if (frame.keys)
            out += `${JSON.stringify(frame.keys[index])}: `;
        write(value ?? null);
    }
}
/** The JSON of anything but a list or an object. */
function scalar(value) {
    if (typeof value === 'string')
        return JSON.stringify(value);
    if (typeof value === 'number')
        return Number.isFinite(value) ? String(value) : 'null';
    if (typeof value === 'boolean')
        return value ? 'true' : 'false';
    if (typeof value === 'bigint')
        return String(value);
    return typeof value === 'object' && value !== null ? undefined : 'null';
}
/** What JSON leaves out is undefined; dates and the like say themselves what they are. */
function plainValue(value) {
    if (typeof value === 'function' || typeof value === 'symbol')
        return undefined;
    if (typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function')
        return value.toJSON();
    return value;
}
