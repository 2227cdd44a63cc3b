/** What a HOOK.md runs: its entry point, or what `run` or `outcome` says instead. */
import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
export const ENTRY_POINTS = ['scripts/run', 'scripts/run.sh', 'scripts/run.py'];
export function toRun(fields, dir, report) {
    if (fields.run && fields.outcome) {
        report('outcome', 'A hook has either `run` or `outcome`, not both.', 'Remove one of them.');
        return undefined;
    }
    // zod gives absent fields no key at all, so the shapes agree.
    if (fields.outcome)
        return { type: 'outcome', outcome: fields.outcome };
    if (!fields.run)
        return { type: 'command', entry: dir };
    const kinds = Object.keys(fields.run);
    if (kinds.length !== 1) {
        report('run', `\`run\` needs exactly one of command, http, prompt, agent, module; it has ${kinds.length}.`, 'Keep one of them.');
        return undefined;
    }
    const { command, http, prompt, agent, module } = fields.run;
    if (command !== undefined)
        return { type: 'command', command, shell: 'bash', args: ['-c'] };
    if (http)
        return { type: 'http', ...http };
    if (prompt)
        return { type: 'prompt', ...prompt };
    if (agent)
        return { type: 'agent', ...agent };
    return moduleRun(module, dir, report);
}
/** Only a file inside the hook's own folder: that folder is what a person trusts. */
function moduleRun(module, dir, report) {
    const file = resolve(dir, module);
    if (isAbsolute(module) || !isInside(dir, file) || !isInside(real(dir), real(file))) {
        report('run.module', `\`${module}\` is outside the folder of the hook.`, 'Name a file inside the folder.');
        return undefined;
    }
    return { type: 'module', file };
}
function isInside(folder, file) {
    const path = relative(folder, file);
    return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}
/** Links resolved, also when the last parts of the path do not exist yet. */
function real(path) {
    if (existsSync(path))
        return realpathSync(path);
    const parent = resolve(path, '..');
    return parent === path ? path : resolve(real(parent), relative(parent, path));
}
