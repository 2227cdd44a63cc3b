/** Entries of other hooks as a settings file of the shape `hooks: {Event: [{matcher, hooks: [{command}]}]}`. */
export function nestedSettings(entries, words) {
    const hooks = {};
    for (const { event, tools, command, timeout } of entries) {
        const group = {
            ...(tools && tools.length > 0 ? { matcher: words.matcher(tools) } : {}),
            hooks: [{ type: 'command', command, timeout: words.timeout(timeout) }],
        };
        hooks[event] = [...(hooks[event] ?? []), group];
    }
    return `${JSON.stringify({ hooks }, null, 2)}\n`;
}
/** The same without groups: `hooks: {Event: [{matcher, command}]}`. */
export function flatSettings(entries, words) {
    const hooks = {};
    for (const { event, tools, command, timeout } of entries) {
        const matcher = tools && tools.length > 0 ? { matcher: words.matcher(tools) } : {};
        hooks[event] = [...(hooks[event] ?? []), { ...words.entry(command, timeout), ...matcher }];
    }
    return `${JSON.stringify({ ...words.head, hooks }, null, 2)}\n`;
}
/** Whole seconds, never fewer than asked for. */
export function wholeSeconds(milliseconds) {
    return Math.max(1, Math.ceil(milliseconds / 1000));
}
/** A list of exact names. */
export function nameList(tools) {
    return tools.join('|');
}
/** The same where a matcher is searched for anywhere in the name. */
export function anchoredNames(tools) {
    return `^(?:${tools.map((name) => name.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')})$`;
}
