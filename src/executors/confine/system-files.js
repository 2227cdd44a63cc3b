/** What programs need of the system to start and to run at all. Nothing here holds a secret. */
import { closeSync, existsSync, openSync, readSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
const FOLDERS = [
    '/usr',
    '/bin',
    '/sbin',
    '/lib',
    '/lib32',
    '/lib64',
    '/libx32',
    '/nix/store',
    '/System',
    '/Library',
];
/** Not all of /etc: as root a program could read the hashes of passwords and the host's keys. */
const ETC = [
    ...[
        'ld.so.cache',
        'ld.so.conf',
        'ld.so.conf.d',
        'ld.so.preload',
        'alternatives',
        'nsswitch.conf',
        'passwd',
        'group',
    ],
    ...['hosts', 'host.conf', 'resolv.conf', 'gai.conf', 'services', 'protocols', 'localtime', 'timezone'],
    ...[
        'locale.alias',
        'locale.conf',
        'default/locale',
        'os-release',
        'debian_version',
        'mime.types',
        'terminfo',
    ],
    ...['ssl/openssl.cnf', 'ssl/certs', 'ca-certificates', 'pki/tls/certs', 'pki/ca-trust', 'crypto-policies'],
    ...['profile', 'bash.bashrc', 'inputrc', 'python3', 'python3.11', 'perl', 'gitconfig', 'environment'],
];
const SYSTEM_FILES = [...FOLDERS, ...ETC.map((name) => join('/etc', name))];
export function systemFiles() {
    return SYSTEM_FILES;
}
/** The programs that a start leads to (itself, its interpreter, what `env` looks for), with what is installed beside them. */
export function interpreterFolders(start, off) {
    const found = new Set();
    const take = (name, depth) => {
        const file = isAbsolute(name) ? name : onPath(name, start.env.PATH);
        if (file === undefined || !existsSync(file) || depth > 4)
            return;
        const real = realpathSync(file);
        for (const path of [file, real]) {
            const beside = dirname(dirname(path));
            found.add(isAbove(beside, off) ? path : beside);
        }
        for (const next of shebang(real))
            take(next, depth + 1);
    };
    take(start.file, 0);
    // `bash SCRIPT`: the script's own first line may lead on.
    for (const argument of start.args)
        for (const next of isAbsolute(argument) ? shebang(argument) : [])
            take(next, 1);
    return [...found];
}
/** A folder that holds somebody's home or project is none of an interpreter's. */
function isAbove(folder, off) {
    if (folder === '/')
        return true;
    return off.some((path) => path !== undefined && (path === folder || path.startsWith(folder + sep)));
}
function shebang(file) {
    let head;
    try {
        head = firstBytes(file);
    }
    catch {
        // What cannot be read leads nowhere: the program fails to start then, and says so.
        return [];
    }
    const words = /^#![ \t]*([^\n]*)/.exec(head)?.[1]?.trim().split(/\s+/) ?? [];
    if (words[0]?.endsWith('/env'))
        return [
            words[0],
            ...words
                .slice(1)
                .filter((word) => !/^-|=/.test(word))
                .slice(0, 1),
        ];
    return words.slice(0, 1).filter(Boolean);
}
/** More than the kernel reads of a first line. */
const HEAD_BYTES = 256;
/** Interpreters can have 100 MB: they are not read as a whole. */
function firstBytes(file) {
    const descriptor = openSync(file, 'r');
    try {
        const bytes = Buffer.alloc(HEAD_BYTES);
        return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, HEAD_BYTES, 0));
    }
    finally {
        closeSync(descriptor);
    }
}
export function onPath(program, path = '') {
    return path
        .split(delimiter)
        .map((folder) => join(folder, program))
        .find((file) => isAbsolute(file) && existsSync(file));
}
