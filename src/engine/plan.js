/** Which hooks run for an event, in which order and which of them together: `run` executes this list, `explain` prints it. */
import { SCOPES } from '../spec/hook.ts';
/** Hooks in the order in which they rank: offset, then scope, then as they were loaded. */
export function rank(hooks) {
    const position = Object.fromEntries(SCOPES.map((s, i) => [s, i]));
    const sorted = hooks
        .map((planned, index) => ({ planned, index }))
        .sort((a, b) => a.planned.hook.order - b.planned.hook.order ||
        position[a.planned.hook.scope] - position[b.planned.hook.scope] ||
        a.index - b.index)
        .map(({ planned }) => planned);
    return sorted.some(({ hook }) => hook.after?.length) ? chain(sorted) : sorted;
}
/** Ranked hooks as steps: concurrent neighbours share one, unless one of them comes `after` another. */
export function plan(ranked) {
    let steps = known.get(ranked);
    if (!steps) {
        steps = makeSteps(ranked);
        known.set(ranked, steps);
    }
    return steps;
}
/** Lists of ranked hooks are remembered for each kind of event, and so are their plans. */
const known = new WeakMap();
function makeSteps(ranked) {
    const steps = [];
    const background = ranked.filter(({ hook }) => hook.mode === 'background');
    for (const planned of ranked) {
        const { mode, after } = planned.hook;
        if (mode === 'background')
            continue;
        const last = steps.at(-1);
        const joins = mode === 'concurrent' &&
            last?.mode === 'concurrent' &&
            !last.hooks.some(({ hook }) => after?.includes(hook.name));
        if (joins)
            last.hooks.push(planned);
        else
            steps.push({ mode, hooks: [planned] });
    }
    if (background.length > 0)
        steps.push({ mode: 'background', hooks: background });
    return steps;
}
/** The steps of the plan with the hooks that would run if no hook rewrites the input, and those that would not. */
export async function foresee(steps, event) {
    for (const { matcher } of steps.flatMap(({ hooks }) => hooks))
        await matcher.load(event);
    const others = [];
    const running = steps.map(({ mode, hooks }) => {
        const judged = hooks.map((planned) => {
            const explained = planned.matcher.explain(event);
            const applies = explained.matched || explained.unjudged !== undefined;
            const barred = planned.gate?.() ?? (planned.hook.broken === undefined ? null : 'invalid');
            return { ...explained, planned, skipped: applies ? barred : 'no_match' };
        });
        others.push(...judged.filter(({ skipped }) => skipped !== null));
        return { mode, hooks: judged.filter(({ skipped }) => skipped === null) };
    });
    return { steps: running.filter(({ hooks }) => hooks.length > 0), others };
}
/** A hook comes after every hook that it names, and otherwise keeps its place. A circle is broken at its first hook. */
function chain(sorted) {
    const waiting = new Map();
    for (const { hook } of sorted)
        waiting.set(hook.name, (waiting.get(hook.name) ?? 0) + 1);
    const rest = [...sorted];
    const out = [];
    while (rest.length > 0) {
        const free = rest.findIndex(({ hook }) => !hook.after?.some((name) => name !== hook.name && waiting.get(name)));
        const [next] = rest.splice(Math.max(free, 0), 1);
        waiting.set(next.hook.name, waiting.get(next.hook.name) - 1);
        out.push(next);
    }
    return out;
}
