/** The native program that confines others (relay/confine.c): where it is, and its arguments for a policy. Linux. */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
const NAME = 'crosshook-confine';
/** Undefined where there is none for this platform. Never looked for by `PATH`, which an agent may have from a project. */
export function findHelper() {
    if (known === undefined || !existsSync(known))
        known = lookForHelper();
    return known;
}
let known;
/** For a bench that measures another build of it. */
export function useHelper(file) {
    known = file;
}
function lookForHelper() {
    if (process.platform !== 'linux')
        return undefined;
    const here = fileURLToPath(import.meta.url);
    const built = ['../relay', '../../relay', '../../../dist/relay']
        .map((way) => join(dirname(here), way, NAME))
        .find((file) => existsSync(file));
    if (built !== undefined)
        return built;
    try {
        const manifest = createRequire(here).resolve(`@crosshook/relay-linux-${process.arch}/package.json`);
        const file = join(dirname(manifest), 'bin', NAME);
        return existsSync(file) ? file : undefined;
    }
    catch {
        return undefined; // the package of this platform is not installed
    }
}
/** What comes between the helper and the program. */
export function helperArguments(policy) {
    return [
        ...visible(policy.read, policy.hide).flatMap((path) => ['-r', path]),
        ...visible(policy.write, policy.hide).flatMap((path) => ['-w', path]),
        ...(policy.network ? ['-n'] : []),
        ...(policy.sockets.length > 0 ? ['-u'] : []),
        ...(policy.stays_in_group ? ['-g'] : []),
        ...(policy.memory_mb > 0 ? ['-m', String(policy.memory_mb)] : []),
        '--',
    ];
}
const MOST_ENTRIES = 5000;
/** Landlock can only add. A folder with something hidden below it becomes everything in it but the way there. */
export function visible(paths, hidden) {
    // The helper follows links itself.
    if (hidden.length === 0)
        return [...new Set(paths)];
    const off = hidden.map(real);
    return [...new Set(paths.map(real))].flatMap((path) => entries(path, off));
}
function entries(path, off) {
    if (off.some((one) => one === path || path.startsWith(one + sep)))
        return [];
    const prefix = path === sep ? sep : path + sep;
    const below = off.filter((one) => one.startsWith(prefix));
    if (below.length === 0)
        return [path];
    let names;
    try {
        names = readdirSync(path);
    }
    catch {
        return []; // a folder that cannot be listed: nothing in it is given
    }
    if (names.length > MOST_ENTRIES)
        return [];
    return names.flatMap((name) => entries(prefix + name, off));
}
function real(path) {
    try {
        return realpathSync(path);
    }
    catch {
        return path; // not there, or not to be seen: the helper passes it over
    }
}
