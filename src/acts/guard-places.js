/** The files that decide which hooks run: crosshook's own, and those that the dialects declare. */
import { GUARD_FILES } from './gen/guard-files.ts';
import { shellPattern } from './shell/pattern.ts';
/** Ours, in the home folder of anybody. */
export const OURS = [
    '.config/agents/hooks',
    '.config/crosshook',
    '.local/state/crosshook',
    '.cache/crosshook',
    '.local/share/crosshook',
    '.local/bin/crosshook',
];
const MACHINE = ['/etc/agents', '/etc/crosshook', '/usr/bin/crosshook', '/usr/local/bin/crosshook'];
/** Is the path, or a folder above it, one of these? A `*` stands for a name. */
function lookup(files) {
    const plain = new Set(files.filter((file) => !file.includes('*')).map((file) => file.toLowerCase()));
    const patterns = files.filter((file) => file.includes('*')).map((file) => file.toLowerCase().split('/'));
    return (path) => {
        for (let at = path.indexOf('/', 1); at !== -1; at = path.indexOf('/', at + 1))
            if (plain.has(path.slice(0, at)))
                return true;
        if (plain.has(path))
            return true;
        if (patterns.length === 0)
            return false;
        const names = path.split('/');
        return patterns.some((pattern) => names.length >= pattern.length &&
            pattern.every((part, at) => part.includes('*') ? shellPattern(part)(names[at]) : part === names[at]));
    };
}
const inHome = lookup([...OURS, ...GUARD_FILES.user]);
const inProject = lookup([...GUARD_FILES.project, '.agents/policies']);
const onMachine = lookup(MACHINE);
const known = new WeakMap();
function guards(world) {
    let found = known.get(world);
    if (!found) {
        const { home, variables, own, workDir } = world;
        const moved = [
            [variables.XDG_CONFIG_HOME, 'agents/hooks'],
            [variables.XDG_CONFIG_HOME, 'crosshook'],
            [variables.XDG_STATE_HOME, 'crosshook'],
            [variables.XDG_CACHE_HOME, 'crosshook'],
            [variables.XDG_DATA_HOME, 'crosshook'],
            [variables.XDG_RUNTIME_DIR, 'crosshook'],
        ].flatMap(([folder, name]) => (folder === undefined ? [] : [`${folder}/${name}`]));
        const absolute = [...moved, ...own];
        const above = (file) => file.replace(/\/[^/]*\*.*$/, '');
        found = {
            home: home.toLowerCase(),
            own: lookup(absolute),
            files: [
                ...new Set([
                    ...absolute,
                    ...MACHINE,
                    ...[...OURS, ...GUARD_FILES.user].map((file) => above(`${home}/${file}`)),
                    ...GUARD_FILES.project.map((file) => above(`${workDir}/${file}`)),
                ]),
            ],
        };
        known.set(world, found);
    }
    return found;
}
/** Their absolute paths here; for a pattern, the folder that it is in. */
export function guardFiles(world) {
    return guards(world).files;
}
export function isGuard(world, path) {
    const lower = path.toLowerCase();
    const { home, own } = guards(world);
    if (own(lower) || onMachine(lower))
        return true;
    if (lower.startsWith(`${home}/`) && inHome(lower.slice(home.length + 1)))
        return true;
    const other = /^\/(?:(?:home|users)\/[^/]+|root)\//.exec(lower);
    if (other && inHome(lower.slice(other[0].length)))
        return true;
    return isGuardOfProject(lower);
}
/** Files of a project count in every folder. */
export function isGuardOfProject(path) {
    const lower = path.toLowerCase();
    for (let at = 0; at !== -1; at = lower.indexOf('/', at + 1)) {
        const rest = lower.slice(at === 0 && lower[0] !== '/' ? 0 : at + 1);
        if (inProject(rest))
            return true;
    }
    return false;
}
