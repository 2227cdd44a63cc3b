/** A JavaScript or TypeScript file, called in this process. Node takes the types out by itself. */
import { readFileSync, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../spec/errors.ts';
import { failure, isFailure } from '../spec/outcome.ts';
import { withinTime } from './time-limit.ts';
export const moduleExecutor = {
    type: 'module',
    async run(call) {
        const { run, event, hook, host, signal } = call;
        const outcome = await withinTime(call, () => runModule(run.file, event, {
            get state_dir() {
                return host.stateDir(hook, event.session_id);
            },
            hook_dir: hook.origin.dir ?? dirname(hook.origin.file),
            signal,
        }));
        return !isFailure(outcome) && isFailure(outcome.value) ? outcome.value : outcome;
    },
};
/** What the file's function returned; a `Failure` when there is no such function. */
export async function runModule(file, event, context) {
    const hook = await loadModule(file);
    return isFailure(hook) ? hook : hook(event, context);
}
/** Loaded again when the file has changed. What it imports itself stays as first loaded. */
export async function loadModule(file) {
    let exports;
    try {
        const { mtimeNs, size } = statSync(file, { bigint: true });
        const url = `${pathToFileURL(file).href}?v=${mtimeNs}-${size}`;
        exports = await importQuietly(url, readFileSync(file, 'utf8'));
    }
    catch (thrown) {
        return failure(`Cannot load ${file}: ${messageOf(thrown)}`, { retryable: false });
    }
    const found = exports.default ?? exports.hook ?? exports.run;
    if (typeof found === 'function')
        return found;
    return failure(`${file} exports no function: export it as default, 'hook' or 'run'`, { retryable: false });
}
/** Below a package.json without a `type`, Node would warn on stderr, where an agent may read it as an answer. */
async function importQuietly(url, source) {
    const format = /\.ts\?/.test(url) ? 'module-typescript' : 'module';
    const isPlain = /\.[jt]s\?/.test(url) && /^\s*(?:export|import)\b/m.test(source);
    const hooks = registerHooks({
        load: (each, context, next) => next(each, isPlain && each === url ? { ...context, format } : context),
    });
    try {
        return await import(/* @vite-ignore */ url);
    }
    finally {
        hooks.deregister();
    }
}
