/** The variables that decide which hooks, trust and settings count. An engine answers for one set of them. */
const NAMES = [
    'HOME',
    'XDG_CONFIG_HOME',
    'XDG_STATE_HOME',
    'XDG_CACHE_HOME',
    'XDG_RUNTIME_DIR',
    'CROSSHOOK_MANAGED_DIR',
    'CROSSHOOK_TRUST',
];
export function scopeOf(env) {
    return Object.fromEntries(NAMES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
export function sameScope(a, b) {
    for (let i = 0; i < NAMES.length; i++)
        if (a[NAMES[i]] !== b[NAMES[i]])
            return false;
    return true;
}
