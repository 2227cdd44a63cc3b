/** The environment that an event came with, for what only sees the event: whose home `~` is, where XDG folders are. */
const environments = new WeakMap();
export function rememberEnvironment(event, env) {
    environments.set(event, env);
}
export function environmentOf(event) {
    return environments.get(event);
}
/** A changed copy of an event came with the same environment. */
export function sameEnvironment(event, copy) {
    const env = environments.get(event);
    if (env)
        environments.set(copy, env);
    return copy;
}
