/** What a tool call does, in words that hold for every tool. */
export const DOES = [
    'read',
    'write',
    'delete',
    'run',
    'connect',
    'send',
    'install',
    'publish',
    'escalate',
    'kill',
    'rewrite_history',
    'discard_work',
    'change_guards',
    'reveal_secret',
    'unknown',
];
/** Kinds of places that a guard can name. The first group follows from a path, the second is said by a program's row. */
export const PLACES = [
    /** Inside the folder of the event, outside of it, below the home folder. */
    'project',
    'outside',
    'home',
    /** The top itself: `/`, the home folder, the project, a drive. */
    'root',
    'system',
    'device',
    'temp',
    'secret',
    /** The files that decide which hooks run. */
    'guard',
    /** What version control keeps: `.git`. */
    'vcs',
    /** What runs by itself later: shell profiles, cron, systemd units, git hooks. */
    'startup',
    /** The path cannot be told from the call. */
    'unknown',
    'database',
    'cloud',
    'container',
    'cluster',
    /** Packages of a registry, releases, repositories of a forge. */
    'registry',
    /** The text came over the network: `curl … | sh`. */
    'remote',
    /** The text that is run was decoded or decrypted, or hidden in another way: `base64 -d | sh`. */
    'decoded',
    /** A secret that stands in the text of the call itself. */
    'text',
    /** A service, a unit, a scheduled job, a firewall: the machine itself. */
    'machine',
    /** The environment of the process, with the secrets in it. */
    'environment',
];
/** One of the patterns holds and none of those with a `!` before them. Only excluding ones: everything else holds. */
export function matchesOne(patterns, test) {
    const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
    if (patterns.some((pattern) => pattern.startsWith('!') && test(pattern.slice(1))))
        return false;
    return wanted.length === 0 || wanted.some(test);
}
