/** Settings of the shape `hooks: {Event: [{matcher, hooks: [{command}]}]}`, or flat: `hooks: {Event: [{command}]}`. */
import { isOurCommand } from './command-marker.ts';
import { append, lineOf, parseSettings, removeEach } from './json-settings.ts';
import { isRecord, record } from './payload.ts';
/** Our entries, one an event, in place of those that are there already. */
export function addEntries(text, shape, entries) {
    const clean = text === undefined ? undefined : removeEntries(text, shape);
    return Object.entries(entries).reduce((edited, [event, entry]) => append(edited, [...eventsPath(shape), event], entry), clean);
}
export function removeEntries(text, shape) {
    return removeEach(text, (root) => {
        const ours = listEntries(root, shape).find(({ entry }) => isOurs(entry, shape));
        if (!ours || shape.flat)
            return ours?.path;
        // Our group goes as a whole; in a group with others only our entry does.
        const siblings = ours.group.hooks;
        return siblings.length === 1 ? ours.path.slice(0, -2) : ours.path;
    });
}
export function findEntries(text, shape) {
    return listEntries(parseSettings(text), shape).map(({ event, group, entry, path }) => {
        const line = lineOf(text, path);
        return {
            event,
            command: commandOf(entry) ?? JSON.stringify(entry),
            ours: isOurs(entry, shape),
            ...(typeof group.matcher === 'string' ? { matcher: group.matcher } : {}),
            ...(line === undefined ? {} : { line }),
            ...(Array.isArray(entry.args) ? { args: entry.args.map(String) } : {}),
            ...(isRecord(entry.headers) ? { headers: texts(entry.headers) } : {}),
        };
    });
}
/** Every entry that has the right shape; others are left out. */
export function listEntries(root, shape) {
    const found = [];
    const at = eventsPath(shape);
    const events = at.reduce((value, key) => record(value)[key], root);
    for (const [event, groups] of Object.entries(record(events))) {
        for (const [g, group] of (Array.isArray(groups) ? groups : []).entries()) {
            if (!isRecord(group))
                continue;
            const path = [...at, event, g];
            if (shape.flat)
                found.push({ event, group, entry: group, path });
            else
                for (const [h, entry] of (Array.isArray(group.hooks) ? group.hooks : []).entries())
                    if (isRecord(entry))
                        found.push({ event, group, entry, path: [...path, 'hooks', h] });
        }
    }
    return found;
}
export function isOurs(entry, shape) {
    return isOurCommand(commandOf(entry), shape.agent);
}
/** What an entry runs: a line for a shell or a URL. */
function commandOf(entry) {
    const text = [entry.command, entry.bash, entry.url, entry.prompt].find((value) => typeof value === 'string');
    return text;
}
function texts(headers) {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
function eventsPath(shape) {
    return shape.at ?? ['hooks'];
}
