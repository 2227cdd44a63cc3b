/**
 * Trust of project hooks: a cloned repository must not run code. What a person has looked at is pinned by a digest of
 * every byte, per user, outside the repository, and that copy is what runs.
 */
import { chmodSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { findEntryPoint } from '../executors/entry-point.ts';
import { findProgram, safeFolders } from '../executors/safe-path.ts';
import { failure, isFailure } from '../spec/outcome.ts';
import { isCurrent, isRacy } from './fingerprint.ts';
import { changedOutside, reachOf } from './outside.ts';
import { repositoryIdentity, repositoryRoot } from './repository.ts';
import { isSealed, readSealed, seal, sealedFolder, unseal } from './seal.ts';
import { bytesDigest, digest, folderOf, look } from './snapshot.ts';
import { openTrustFile } from './trust-records.ts';
export { digest, snapshot } from './snapshot.ts';
/** `all`: everything is trusted (CROSSHOOK_TRUST=all, for CI). */
export function openTrust(stateDir, all) {
    const store = openTrustFile(stateDir);
    const contents = createContents();
    const recordOf = (hook) => {
        const { proven } = store.read();
        return proven.get(placeOf(hook)) ?? elsewhere(hook, [...proven.values()], contents);
    };
    function state(hook) {
        if (all)
            return 'trusted';
        const record = recordOf(hook);
        if (!record)
            return store.read().unproven.has(placeOf(hook)) ? 'unproven' : 'untrusted';
        return contents.of(hook)?.digest === record.digest ? 'trusted' : 'changed';
    }
    return {
        file: store.file,
        state,
        wrong: () => store.read().wrong,
        reach: (hooks) => reachOfAll(hooks, look(hooks[0]).bytes),
        trust(given, { everywhere = false, env = {} } = {}) {
            const hooks = Array.isArray(given) ? given : [given];
            const hook = hooks[0];
            const { bytes } = look(hook);
            const pin = digest(bytes);
            const { files } = reachOfAll(hooks, bytes);
            const programs = Object.assign({}, ...hooks.map((each) => programsOf(each, env)));
            const copies = everywhere ? repositoryPlace(hook) : undefined;
            seal(stateDir, { pin, bytes, from: folderOf(hook) });
            const record = {
                name: hook.name,
                digest: pin,
                at: new Date().toISOString(),
                ...(files.length > 0 ? { outside: files } : {}),
                ...(Object.keys(programs).length > 0 ? { programs } : {}),
                ...(copies ? { everywhere: copies } : {}),
            };
            store.write(new Map([...store.read().proven, [placeOf(hook), record]]));
        },
        untrust(hook) {
            const { proven } = store.read();
            const record = proven.get(placeOf(hook));
            if (!record)
                return false;
            const rest = new Map([...proven].filter(([place]) => place !== placeOf(hook)));
            store.write(rest);
            if (![...rest.values()].some((other) => other.digest === record.digest))
                unseal(stateDir, record.digest);
            return true;
        },
        pinned(hook) {
            const record = recordOf(hook);
            return record ? readSealed(stateDir, record.digest) : undefined;
        },
        runnable(hook, workDir) {
            if (all || hook.scope !== 'project')
                return hook;
            const record = recordOf(hook);
            if (!record)
                return refused(store.read().wrong ?? 'it is not trusted');
            const found = contents.of(hook);
            if (found?.digest !== record.digest)
                return refused('its files have changed since you trusted it');
            // What was read before the check must be what was checked.
            if (hook.origin.digest !== found.file)
                return refused('its file was exchanged while it was read');
            if (!isSealed(stateDir, record.digest))
                return refused('the copy of what you trusted is gone or damaged');
            const outside = changedOutside(record.outside ?? [], workDir);
            if (outside !== undefined)
                return refused(outside);
            return fromSeal(hook, sealedFolder(stateDir, record.digest), record);
        },
    };
}
function refused(why) {
    return failure(`it did not run: ${why.replace(/\.$/, '')}. Look at it with \`crosshook trust\``, {
        retryable: false,
    });
}
/** The same hook with its files in the sealed copy. */
function fromSeal(hook, folder, { programs }) {
    const sealed = programs ? { ...hook, programs } : { ...hook };
    const { dir } = hook.origin;
    if (dir === undefined)
        return sealed;
    sealed.origin = { ...hook.origin, dir: folder, file: join(folder, relative(dir, hook.origin.file)) };
    if (hook.run.type === 'module')
        sealed.run = { ...hook.run, file: join(folder, relative(dir, hook.run.file)) };
    if (hook.run.type === 'command' && 'entry' in hook.run) {
        sealed.run = { ...hook.run, entry: folder };
        copyModes(dir, folder);
    }
    return sealed;
}
/** Whether an entry point may be executed decides how it is started; it may be changed without asking again. */
function copyModes(from, to) {
    for (const entry of ['run', 'run.sh', 'run.py']) {
        const given = statSync(join(from, 'scripts', entry), { throwIfNoEntry: false });
        const copy = join(to, 'scripts', entry);
        const sealed = statSync(copy, { throwIfNoEntry: false });
        if (!given || !sealed || (given.mode & 0o100) === (sealed.mode & 0o100))
            continue;
        chmodSync(copy, (given.mode & 0o100) === 0 ? 0o400 : 0o500);
    }
}
/** The interpreter of an entry point, as a safe PATH finds it now. */
function programsOf(hook, env) {
    if (hook.run.type !== 'command')
        return undefined;
    const name = 'entry' in hook.run
        ? interpreterOf(hook.run.entry)
        : 'argv' in hook.run
            ? hook.run.argv[0]
            : hook.run.shell;
    if (name === undefined || name.includes('/'))
        return undefined;
    const found = findProgram(name, safeFolders(env.PATH, basesOf(hook)));
    return found === undefined ? undefined : { [name]: found };
}
function interpreterOf(folder) {
    const program = findEntryPoint(folder);
    return isFailure(program) ? undefined : program.file;
}
/** Where command lines of a project's hooks run: the project of the hook. */
function basesOf(hook) {
    const folder = folderOf(hook);
    const root = repositoryRoot(folder);
    // Settings files lie in a folder of the project, such as `.tool/settings.json`, or at its top.
    const own = hook.origin.dir === undefined ? [dirname(folder), folder] : [folder.split('/.agents/')[0]];
    return [...new Set([...(root === undefined ? [] : [root]), ...own])];
}
function repositoryPlace(hook) {
    const root = repositoryRoot(folderOf(hook));
    const repository = root === undefined ? undefined : repositoryIdentity(root);
    return repository === undefined
        ? undefined
        : { repository, place: relative(realpathSync(root), placeOf(hook)) };
}
/** A record made for every copy of the repository, of these very bytes. What it names outside must lie there as well. */
function elsewhere(hook, records, contents) {
    const copies = records.filter((record) => record.everywhere);
    if (copies.length === 0)
        return undefined;
    const found = contents.of(hook);
    const same = copies.filter((record) => record.digest === found?.digest);
    if (same.length === 0)
        return undefined;
    const here = repositoryPlace(hook);
    const record = same.find(({ everywhere }) => everywhere.repository === here?.repository && everywhere.place === here?.place);
    if (!record?.outside)
        return record;
    const pinned = new Set(record.outside.map((file) => file.digest));
    const own = reachOf(hook, look(hook).bytes, basesOf(hook)).files;
    return own.every((file) => pinned.has(file.digest)) ? { ...record, outside: own } : undefined;
}
function reachOfAll(hooks, bytes) {
    const all = hooks.map((hook) => reachOf(hook, bytes, basesOf(hook)));
    const files = new Map(all.flatMap((reach) => reach.files).map((file) => [`${file.word}\0${file.path}`, file]));
    return { files: [...files.values()], unpinned: [...new Set(all.flatMap((reach) => reach.unpinned))] };
}
/** A hook of a file shared by several is trusted with the whole file. */
function placeOf(hook) {
    const path = hook.origin.dir ?? hook.origin.file;
    try {
        return realpathSync(path);
    }
    catch {
        return path;
    }
}
/** Digests of what lies in hooks' folders, kept as long as no file has changed. */
function createContents() {
    const known = new Map();
    return {
        of(hook) {
            const place = hook.origin.dir ?? hook.origin.file;
            const kept = known.get(place);
            if (kept && isCurrent(kept.marks))
                return kept;
            const now = Date.now();
            try {
                const { bytes, marks } = look(hook);
                const file = bytesDigest(bytes.get(basename(hook.origin.file)) ?? Buffer.alloc(0));
                const content = { digest: digest(bytes), file, marks };
                if (isRacy(marks, now))
                    known.delete(place);
                else
                    known.set(place, content);
                return content;
            }
            catch {
                return undefined; // what cannot be read is not what was trusted
            }
        },
    };
}
