/**
 * A field may hold a text of megabytes unread: it is decoded from its bytes when somebody first reads the field. Most hooks
 * never do. The slow twin is a plain field; bench/race.ts (a payload of 10 MB) shows the difference.
 */
/** Of an object with such fields: what reads each of them. */
const LATER = Symbol('read later');
/** `owner[field]` will be what `read` returns, called when the field is first read. */
export function postpone(owner, field, read) {
    const later = owner[LATER] ?? new Map();
    Object.defineProperty(owner, LATER, { value: later.set(field, read), configurable: true });
    Object.defineProperty(owner, field, accessorFor(field));
}
/** Has the object a text that was not read yet? */
export function hasPostponed(owner) {
    return (owner[LATER]?.size ?? 0) > 0;
}
/** Is the field a text that was not read yet? */
export function isPostponed(owner, field) {
    return owner[LATER]?.has(field) ?? false;
}
/** `to[name] = from[field]`, without reading an unread text. */
export function copyField(from, field, to, name) {
    const read = from[LATER]?.get(field);
    if (read)
        postpone(to, name, read);
    // As a plain assignment it would change what the copy inherits.
    else if (name === '__proto__')
        hold(to, name, from[field]);
    else
        to[name] = from[field];
}
/**
 * One accessor for each field name, shared by all objects: V8 keeps an object's accessors alive with its hidden class, so
 * an accessor that closed over the reader would keep the payload's bytes in memory.
 */
function accessorFor(field) {
    let known = accessors.get(field);
    if (!known) {
        known = {
            enumerable: true,
            configurable: true,
            get() {
                return hold(this, field, this[LATER]?.get(field)?.());
            },
            set(value) {
                hold(this, field, value);
            },
        };
        if (accessors.size >= MOST_KNOWN)
            accessors.clear();
        accessors.set(field, known);
    }
    return known;
}
const accessors = new Map();
const MOST_KNOWN = 100;
function hold(owner, field, value) {
    owner[LATER]?.delete(field);
    Object.defineProperty(owner, field, { value, writable: true, enumerable: true, configurable: true });
    return value;
}
