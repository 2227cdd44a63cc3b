/** The thread of one `module` hook: loads its file once, answers one call after another. See modules.ts. */
import { readdirSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { fingerprint, isRacy } from '../../config/fingerprint.ts';
import { loadModule } from '../../executors/module.ts';
import { sessionStateDir } from '../../journal/session-state.ts';
import { messageOf } from '../../spec/errors.ts';
import { failure, isFailure } from '../../spec/outcome.ts';
import { replaceEnvironment } from '../environment.ts';
/** A hook's folder is small; larger ones are looked at as far as this. */
const MAX_WATCHED_FILES = 500;
const LEFT_OUT = new Set(['.git', 'node_modules']);
export function serveModule(port, { file, hookDir, stateDir }) {
    let loaded;
    let inputs = {};
    let startedAt = 0;
    let aborter = new AbortController();
    registerHooks({
        load(url, context, next) {
            if (inputs && url.startsWith('file:'))
                note(fileURLToPath(url.replace(/[?#].*$/, '')), inputs);
            return next(url, context);
        },
    });
    port.on('message', (message) => {
        if (message === 'abort')
            aborter.abort();
        else
            void respond(message);
    });
    async function respond({ event, hookName, env }) {
        if (env)
            replaceEnvironment(env);
        process.cwd = () => event.work_dir;
        aborter = new AbortController();
        const answer = { outside: 0 };
        let isLoaded = false;
        try {
            if (!loaded) {
                startedAt = Date.now();
                noteFolder(hookDir, inputs);
                note(file, inputs);
                loaded = loadModule(file);
            }
            const hook = await loaded;
            isLoaded = !isFailure(hook);
            if (isFailure(hook))
                answer.failure = hook;
            else
                answer.value = await hook(event, {
                    get state_dir() {
                        return sessionStateDir(stateDir, hookName, event.session_id);
                    },
                    hook_dir: hookDir,
                    signal: aborter.signal,
                });
        }
        catch (thrown) {
            answer.failure = failure(messageOf(thrown));
        }
        if (inputs) {
            answer.inputs = inputs;
            answer.racy = isRacy(inputs, startedAt);
            inputs = undefined;
        }
        // A module that could not be loaded is tried again in a new thread: the reason may pass.
        if (!isLoaded)
            answer.racy = true;
        answer.outside = process.memoryUsage().arrayBuffers;
        send(answer);
    }
    function send(answer) {
        try {
            port.postMessage(answer);
        }
        catch (thrown) {
            const { value: _, ...rest } = answer;
            const message = `The module answered with something that is not data: ${messageOf(thrown)}`;
            port.postMessage({ ...rest, failure: failure(message, { retryable: false }) });
        }
    }
}
/** Taken before the file is read: a change that comes after is seen. */
function note(path, inputs) {
    if (!(path in inputs))
        inputs[path] = fingerprint(path);
}
/** A module may read what lies beside it when it is loaded. */
function noteFolder(folder, inputs) {
    let left = MAX_WATCHED_FILES;
    const walk = (path, depth) => {
        note(path, inputs);
        for (const entry of readdirSync(path, { withFileTypes: true })) {
            if (left-- <= 0 || LEFT_OUT.has(entry.name))
                continue;
            const below = join(path, entry.name);
            if (entry.isDirectory())
                depth > 0 && walk(below, depth - 1);
            else
                note(below, inputs);
        }
    };
    walk(folder, 8);
}
if (parentPort && isStart(workerData))
    serveModule(parentPort, workerData);
function isStart(data) {
    return typeof data === 'object' && data !== null && 'hookDir' in data && 'stateDir' in data;
}
