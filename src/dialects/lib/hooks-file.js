/** A settings file that holds our entries below its events. Loaded only while installing. */
import { setNew } from './json-settings.ts';
import { addEntries, findEntries, removeEntries } from './nested-hooks.ts';
export function hooksFile({ path, shape, entries, head = {} }) {
    const fresh = Object.entries(head).reduce((text, [key, value]) => setNew(text, [key], value), undefined);
    return {
        path,
        add: (text, command) => addEntries(text ?? fresh, shape, entries(command)),
        remove(text) {
            const rest = removeEntries(text, shape);
            // A file that holds nothing but the head is ours only if our entries were in it.
            return rest === fresh && rest !== text ? undefined : rest;
        },
        find: (text) => findEntries(text, shape),
    };
}
/** The same entry for each of these events. */
export function entryPerEvent(events, entry) {
    return Object.fromEntries(events.map((event) => [event, entry(event)]));
}
