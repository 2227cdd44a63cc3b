/** Which hook takes the place of which other one of the same name. */
/**
 * Managed hooks stand; a project's hook replaces the user's, unless that one says `replaceable: false`; in one scope
 * the later one counts. `namesakes` are in the order in which they were loaded.
 */
export function replaces(other, hook, namesakes) {
    if (other === hook || !hook.unique_name || !other.unique_name || nameKey(other) !== nameKey(hook))
        return false;
    if (other.scope === 'managed' && hook.scope !== 'managed')
        return true;
    if (hook.scope === 'managed')
        return other.scope === 'managed' && isLater(other, hook, namesakes);
    if (hook.replaceable === false)
        return false;
    if (other.scope === hook.scope)
        return isLater(other, hook, namesakes);
    return other.scope === 'project' && hook.scope === 'user';
}
/** The hooks of stronger scopes that would not run any more where this one does. */
export function replacedBy(hook, hooks) {
    return hooks.filter((other) => other.scope !== hook.scope && replaces(hook, other, hooks));
}
/** A name means the same hook only within one format. */
export function nameKey(hook) {
    return `${hook.format}\0${hook.name}`;
}
function isLater(other, hook, namesakes) {
    return namesakes.indexOf(other) > namesakes.indexOf(hook);
}
