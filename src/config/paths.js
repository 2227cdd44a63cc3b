/** Where things live. XDG, so every one can be moved by its variable. */
import { isAbsolute, join, normalize } from 'node:path';
import { within } from '../fast/within.ts';
/** Those of the last environment are remembered: a call asks for them many times, a process seldom for others. */
export function paths(env) {
    const key = VARIABLES.map((name) => env[name] ?? '\0').join('\n');
    if (last?.key !== key)
        last = { key, paths: derive(env) };
    return last.paths;
}
let last;
/** All that `derive` looks at. */
const VARIABLES = [
    ...['HOME', 'CROSSHOOK_MANAGED_DIR', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'],
    ...['XDG_DATA_HOME', 'XDG_RUNTIME_DIR'],
];
function derive(env) {
    const home = env.HOME || process.getBuiltinModule('node:os').homedir();
    const config = normalize(folder(env.XDG_CONFIG_HOME, within(home, '.config')));
    const state = within(normalize(folder(env.XDG_STATE_HOME, within(home, '.local/state'))), 'crosshook');
    const managed = env.CROSSHOOK_MANAGED_DIR || '/etc/agents';
    const fleet = within(state, 'fleet');
    return {
        home,
        // CROSSHOOK_MANAGED_DIR names the folder of managed hooks itself, as /etc/agents/hooks is.
        managedHooks: env.CROSSHOOK_MANAGED_DIR ? managed : within(managed, 'hooks'),
        managedSettings: env.CROSSHOOK_MANAGED_DIR
            ? join(managed, 'crosshook.toml')
            : '/etc/crosshook/config.toml',
        fleet: {
            folder: fleet,
            hooks: within(fleet, 'current/hooks'),
            settings: within(fleet, 'current/crosshook.toml'),
            shadow: within(fleet, 'shadow/hooks'),
            guard: within(fleet, 'guard'),
        },
        userHooks: within(config, 'agents/hooks'),
        settings: within(config, 'crosshook/config.toml'),
        state,
        cache: within(normalize(folder(env.XDG_CACHE_HOME, within(home, '.cache'))), 'crosshook'),
        data: within(normalize(folder(env.XDG_DATA_HOME, within(home, '.local/share'))), 'crosshook'),
        runtime: env.XDG_RUNTIME_DIR && isAbsolute(env.XDG_RUNTIME_DIR) ? join(env.XDG_RUNTIME_DIR, 'crosshook') : state,
    };
}
/** The later ones count more. */
export function settingsFiles({ settings, managedSettings, fleet }) {
    return [settings, managedSettings, fleet.settings];
}
export function projectHooks(workDir) {
    return join(workDir, '.agents', 'hooks');
}
/** The XDG specification: a relative path in its variables is to be ignored. */
function folder(value, fallback) {
    return value && isAbsolute(value) ? value : fallback;
}
