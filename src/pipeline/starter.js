/** The program that started us, seen through the shells and the relay between: what the kernel says of a process. */
import { readFileSync } from 'node:fs';
/** Each lets the next one stand for it. */
const BETWEEN = /^(?:(?:ba|da|z|k|a)?sh|fish|busybox|env|crosshook-relay)$/;
const MOST_BETWEEN = 6;
const INTERPRETERS = /^(?:node|bun|deno|electron|python[\d.]*)$/;
/** `@scope/name/dist/index.js`: more of it may be a folder of anybody's choice. */
const WORDS_OF_SCRIPT = 4;
/** Its name or, where it is an interpreter, the words of its script's path; none when that cannot be told. */
export function starterOf(pid, look = lookAt) {
    let next = pid;
    for (let i = 0; i < MOST_BETWEEN && next !== undefined && next > 1; i++) {
        const found = look(next);
        if (!found)
            return [];
        const [program = '', ...args] = found.argv;
        const name = withoutEnding(lastWord(program).replace(/^-/, ''));
        if (!BETWEEN.test(name) && !isEntryLink(program)) {
            const script = INTERPRETERS.test(name) ? (args.find((arg) => !arg.startsWith('-')) ?? '') : '';
            return [name, ...script.split('/').slice(-WORDS_OF_SCRIPT).map(withoutEnding)];
        }
        next = found.parent;
    }
    return [];
}
/** A link to the relay: see install/entry-file.ts. */
function isEntryLink(program) {
    return program.includes('/crosshook/install/entries/');
}
function lastWord(path) {
    return path.slice(path.lastIndexOf('/') + 1);
}
function withoutEnding(name) {
    return name.replace(/\.(?:exe|c?js|mjs|sh|AppImage)$/, '');
}
/** What the kernel says of a process; undefined when it has ended or nobody can tell. */
export function lookAt(pid) {
    try {
        return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
    }
    catch {
        return undefined; // it has ended, or nobody can tell
    }
}
function fromProc(pid) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in brackets and may hold anything.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return { parent, argv: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0') };
}
function fromPs(pid) {
    if (process.platform === 'win32')
        return undefined;
    // Loading it takes a cold start 4 ms and more, and Linux needs none of it.
    const { spawnSync } = process.getBuiltinModule('node:child_process');
    const { stdout, status } = spawnSync('/bin/ps', ['-o', 'ppid=,command=', '-p', String(pid)], {
        encoding: 'utf8',
        timeout: 2000,
    });
    const found = /^\s*(\d+)\s+(.*)$/m.exec(stdout ?? '');
    return status === 0 && found ? { parent: Number(found[1]), argv: found[2].split(' ') } : undefined;
}
