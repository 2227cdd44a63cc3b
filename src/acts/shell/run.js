/** The bookkeeping of following one call: what was found, what may still be done. */
import { cutShort } from '../cut.ts';
export const MOST_STEPS = 60000;
/** Milliseconds of work. A usual line takes less than one. */
export const LONGEST_TIME = 60;
export const MOST_ACTS = 2000;
export const DEEPEST = 24;
/** Milliseconds that this thread has worked: a busy machine makes no line unknown. Older Nodes only have a clock. */
export function clock() {
    if (typeof process.threadCpuUsage !== 'function')
        return performance.now();
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
}
/** False when the budget is used up. */
export function spend(run, steps) {
    if (run.steps <= 0)
        return false;
    run.steps -= steps;
    if (run.steps > 0 && ((steps < 16 && (run.steps & 15) !== 0) || clock() < run.deadline))
        return true;
    run.steps = 0;
    cutShort('too much to follow');
    return false;
}
export function note(run, act) {
    const key = `${act.does}\0${act.path ?? ''}\0${act.host ?? ''}\0${act.command ?? ''}\0${act.why ?? ''}\0${act.places?.join() ?? ''}`;
    const known = run.found.get(key);
    if (known) {
        if (act.certain && !known.certain)
            known.certain = true;
        return;
    }
    if (run.found.size < MOST_ACTS)
        run.found.set(key, act);
    else
        cutShort(`more than ${MOST_ACTS} acts`);
}
export function noteForkBomb(run, why, command) {
    note(run, {
        does: 'kill',
        certain: true,
        why: `${why} again and again: a fork bomb`,
        places: ['machine'],
        command: short(command),
    });
}
export function noteUnknown(run, state, why, command) {
    note(run, {
        does: 'unknown',
        certain: false,
        why,
        ...(command !== undefined && { command: short(command) }),
        ...(state.through.length > 0 && { through: [...state.through] }),
    });
}
const LONGEST_SHOWN = 400;
export function short(text) {
    return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
