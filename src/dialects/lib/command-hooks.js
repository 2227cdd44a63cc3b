/** Command entries of an agent's settings → hooks, by the few things in which these agents differ. Loaded only while reading settings. */
import { eventRow } from '../../spec/event.ts';
import { callsCrosshook } from './command-marker.ts';
import { lineOf, parseSettings } from './json-settings.ts';
import { subjectPattern, subjectWords, toolNames, toolPattern } from './matcher.ts';
import { listEntries } from './nested-hooks.ts';
import { record, string } from './payload.ts';
import { readHooks } from './read-hooks.ts';
export function readCommandHooks(source, format) {
    return readHooks(source, {
        format: format.words.id,
        events: format.events,
        entries(text) {
            const root = record(parseSettings(text));
            const off = root.disableAllHooks === true || root.disabled === true;
            const found = off ? [] : format.shapes(root, source.path).flatMap((shape) => listEntries(root, shape));
            return { found, line: (path) => lineOf(text, path) };
        },
        blocks: (event) => format.capabilities[event]?.deny ?? false,
        // Several agents share folders, so the entry of any of them may be here.
        isOurs: ({ entry }) => [entry.command, entry.bash, entry.url].some(callsCrosshook),
        hook: (found) => toHook(found, format),
    });
}
function toHook({ event, group, entry }, format) {
    const run = runOf(entry, format);
    if ('message' in run)
        return run;
    const value = group.matcher ?? entry.matcher;
    const matcher = format.special?.(event, typeof value === 'string' ? value : '') ?? matcherOf(value, event, format);
    if ('message' in matcher)
        return matcher;
    const description = string(entry.description) ?? string(entry.name);
    return {
        run,
        matcher,
        timeout: format.timeout(entry),
        mode: entry.async === true ? 'background' : (format.mode ?? 'concurrent'),
        ...(description === undefined ? {} : { description }),
        ...(entry.enabled === false || entry.disabled === true ? { disabled: true } : {}),
        ...format.more?.(entry, event),
    };
}
function runOf(entry, format) {
    const type = entry.type ?? 'command';
    const command = format.command?.(entry) ?? string(entry.command);
    if (type === 'command' && command !== undefined)
        return { type: 'command', command, shell: '/bin/sh', args: ['-c'] };
    const url = string(entry.url);
    if (type === 'http' && url !== undefined)
        return { type: 'http', url };
    return {
        field: 'type',
        message: `A hook of type ${JSON.stringify(type)} cannot be run here.`,
        fix: 'Use a command.',
    };
}
function matcherOf(value, event, { words, matcher, events }) {
    const text = typeof value === 'string' ? value.trim() : '';
    if (text === '' || text === '*' || matcher === 'none')
        return {};
    const isTool = [events[event] ?? []].flat().some((name) => eventRow(name).tool);
    const isNames = matcher === 'names' || (matcher.startsWith('names') && /^[\w|, -]*$/.test(text));
    if (isNames) {
        const names = text.split(/[|,]/).map((name) => name.trim());
        return isTool ? toolNames(words, names) : subjectWords(names);
    }
    const pattern = matcher.endsWith('whole') ? `^(?:${text})$` : text;
    return ((isTool ? toolPattern(words, pattern) : subjectPattern(pattern)) ?? {
        field: 'matcher',
        message: `The matcher ${JSON.stringify(text)} is no pattern that can be used, so the hook never runs.`,
        fix: 'Write names separated by | or a regular expression without look-around.',
    });
}
