/** Hooks that cannot be read now, as far as an earlier reading knows them: an error is not absence. */
import { basename, sep } from 'node:path';
import { EVENT_NAMES, EVENTS } from '../spec/event.ts';
import { HOOK_DEFAULTS } from '../spec/hook.ts';
/** The stand-ins of a set: each as the hook that it stands for, where `before` has it. */
export function recall(found, before, where) {
    const known = [...(before?.hooks ?? []), ...(before?.broken ?? [])];
    const broken = found.broken.flatMap((hook) => {
        const earlier = known.filter(({ origin, scope }) => origin.file === hook.origin.file && scope === hook.scope);
        if (earlier.length === 0)
            return [hook];
        // What was closed stays so until it is mended, also where the new text does not get that far.
        return earlier.map((one) => {
            const isClosed = one.on_failure === 'closed' || hook.on_failure === 'closed';
            return { ...one, on_failure: isClosed ? 'closed' : 'open', broken: hook.broken };
        });
    });
    for (const problem of found.problems) {
        if (!problem.unread || broken.some(({ origin }) => origin.file === problem.file))
            continue;
        const inside = known.filter(({ origin: { file } }) => isWithin(file, problem.file));
        const words = `${problem.file}: ${problem.message} ${problem.fix}`;
        if (inside.length > 0)
            broken.push(...inside.map((hook) => ({ ...hook, broken: words })));
        else
            broken.push(unknownHooks(problem, words, where));
    }
    return broken;
}
/** Of what was never read nobody knows what it holds. Only the machine's owner is taken to mean a guard by it. */
function unknownHooks({ file }, broken, where) {
    const scope = isWithin(file, where.managedHooks)
        ? 'managed'
        : isWithin(file, where.home)
            ? 'user'
            : 'project';
    return {
        ...HOOK_DEFAULTS,
        name: basename(file),
        format: '',
        scope,
        events: EVENT_NAMES.filter((name) => EVENTS[name].block === 'prevents'),
        run: { type: 'outcome', outcome: {} },
        on_failure: scope === 'managed' ? 'closed' : 'open',
        origin: { file },
        broken,
    };
}
function isWithin(file, folder) {
    return file === folder || file.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
