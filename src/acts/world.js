/** What is known of the machine that a call is made on. */
import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
/** Values of the environment that a path may be made of. None of them is a secret. */
const NAMES = 'HOME USER LOGNAME PATH SHELL TMPDIR XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_RUNTIME_DIR APPDATA LOCALAPPDATA USERPROFILE'.split(' ');
export function thisWorld(workDir, env = {}, own = ownFolders()) {
    const home = env.HOME || env.USERPROFILE || homedir();
    const variables = {
        HOME: home,
        SHELL: '/bin/sh',
        PATH: '/usr/local/bin:/usr/bin:/bin',
        TMPDIR: '/tmp',
    };
    for (const name of NAMES)
        if (env[name])
            variables[name] = env[name];
    return {
        workDir,
        home,
        user: variables.USER ?? userName(),
        platform: process.platform,
        variables,
        disk,
        own,
    };
}
/** The folder of the program that runs here, when it is crosshook's own. */
function ownFolders() {
    const found = /^(.*)\/cli\/[\w.-]+\.c?js$/.exec(process.argv[1]?.replaceAll('\\', '/') ?? '');
    return found && /\/dist$|\/crosshook\//.test(found[1]) ? [found[1]] : [];
}
/** Read once: the system looks it up in a file. */
let knownUser;
function userName() {
    try {
        knownUser ??= userInfo().username;
    }
    catch {
        // A user without an entry in the system's list of users.
        knownUser = '';
    }
    return knownUser;
}
/** The disk can always fail to answer; then the path stands as it was written. */
const disk = {
    realpath: (path) => quietly(() => realpathSync.native(path)),
    entries: (path) => quietly(() => readdirSync(path)) ?? [],
    stat: (path) => quietly(() => statSync(path, { throwIfNoEntry: false })),
    isFolder: (path) => quietly(() => lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) ?? false,
};
function quietly(look) {
    try {
        return look();
    }
    catch {
        return undefined;
    }
}
