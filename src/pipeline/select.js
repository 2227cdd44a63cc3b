/** Stage 3: the hooks that may apply to the event, as the steps of a plan. They are read again as soon as one of their files changes. */
import { join } from 'node:path';
import { isCurrent, isRacy } from '../config/fingerprint.ts';
import { loadHookSet } from '../config/load.ts';
import { paths } from '../config/paths.ts';
import { isForAgentsOnly, selfProtection } from '../config/self-protection.ts';
import { watchInputs } from '../config/watch.ts';
import { FOLDER_FORMAT } from '../dialects/list.ts';
import { plan } from '../engine/plan.ts';
import { rememberEnvironment } from '../spec/environment.ts';
import { eventRow } from '../spec/event.ts';
import { activate } from './select/active.ts';
/** A promise only when files have to be read. */
export function select(context) {
    const { event, services } = context;
    rememberEnvironment(event, context.env);
    const known = services.hooksOf(event.work_dir, startOf(context));
    return known instanceof Promise ? known.then((read) => choose(context, read)) : choose(context, known);
}
function choose(context, { set, active }) {
    context.set = set;
    const found = active.candidates(context.event);
    if (found instanceof Promise)
        return found.then((ready) => planFor(context, ready));
    planFor(context, found);
    return undefined;
}
function planFor(context, found) {
    const { agent } = context;
    context.steps = plan(agent ? withoutItsOwn(agent, found, context) : forPrograms(found));
}
/** Remembered, so that the plan of the same candidates is the same. */
function forPrograms(found) {
    let kept = ofPrograms.get(found);
    if (!kept) {
        kept = found.filter(({ hook }) => !isForAgentsOnly(hook));
        ofPrograms.set(found, kept);
    }
    return kept;
}
const ofPrograms = new WeakMap();
/** Only an agent has sessions that go from folder to folder. */
export function startOf({ agent, event, services }) {
    if (!agent)
        return undefined;
    const { begins } = eventRow(event.event_type);
    return services.starts.of(event.session_id, event.work_dir, begins === 'session');
}
function withoutItsOwn(agent, found, { services, set }) {
    if (found.every(({ hook }) => hook.format === FOLDER_FORMAT))
        return found;
    const isItsOwn = runsItself(agent, { home: services.paths.home, projects: set.projects });
    return found.filter(({ hook }) => !isItsOwn(hook));
}
/** Hooks that an agent runs by itself, from settings that it reads too: running them for it would run them twice. */
export function runsItself({ id, format, agent }, { home, projects }) {
    const files = { user: format?.files.user ?? [], project: format?.files.project ?? [] };
    const also = agent?.alsoRuns ?? { user: [], project: [] };
    const isAmong = (file, base, patterns) => patterns.some((pattern) => matches(file, join(base, pattern)));
    return ({ format: written, scope, origin: { file } }) => {
        if (written === FOLDER_FORMAT || (scope !== 'user' && scope !== 'project'))
            return false;
        const isOfProject = (patterns) => projects.some((project) => isAmong(file, project, patterns));
        if (written === id && (isAmong(file, home, files.user) || isOfProject(files.project)))
            return true;
        return isAmong(file, home, also.user) || isOfProject(also.project);
    };
}
/** `*` stands for a name in one folder. */
function matches(file, pattern) {
    const star = pattern.indexOf('*');
    if (star < 0)
        return file === pattern;
    const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)];
    return (file.length >= head.length + tail.length &&
        file.startsWith(head) &&
        file.endsWith(tail) &&
        !file.slice(head.length).includes('/'));
}
const NONE = [];
const MAX_FOLDERS = 200;
export function createHookSets(options) {
    const { env, trust, sources, only, busy } = options;
    const sets = new Map();
    /** Folders whose files were looked at in this turn of the event loop. */
    const proven = new Set();
    function current(workDir, startDir = workDir) {
        const registered = options.registered?.() ?? NONE;
        const place = startDir === workDir ? workDir : `${workDir}\0${startDir}`;
        const known = sets.get(place);
        if (!known || isGoodForOne(known) || !(proven.has(place) || known.watch.isCurrent()))
            return load({ place, workDir, startDir }, registered);
        if (busy && proven.size === 0)
            setImmediate(() => proven.clear());
        if (busy)
            proven.add(place);
        if (known.registered === registered)
            return known;
        return remember(place, { ...known, registered, active: activateAll(known.set, registered) });
    }
    async function load({ place, workDir, startDir }, registered) {
        const at = Date.now();
        const before = sets.get(place)?.set;
        const set = await loadHookSet({
            env,
            workDir,
            ...(startDir === workDir ? {} : { startDir }),
            ...(sources ? { sources } : {}),
            ...(before ? { before } : {}),
        });
        const { inputs } = set;
        return remember(place, {
            set,
            active: activateAll(set, registered),
            readAt: at,
            registered,
            watch: options.stays ? watchInputs(inputs) : { isCurrent: () => isCurrent(inputs) },
        });
    }
    function isGoodForOne(known) {
        known.racy ??= isRacy(known.set.inputs, known.readAt);
        return known.racy;
    }
    function remember(place, known) {
        if (sets.size > MAX_FOLDERS)
            sets.clear();
        sets.set(place, known);
        return known;
    }
    const protection = sources ? [] : selfProtection(paths(env));
    const builtIn = ({ settings }) => (settings.self_protection ? protection : []);
    function activateAll(set, registered) {
        const wanted = [...set.hooks, ...set.broken, ...registered, ...builtIn(set)].filter(({ name }) => only === undefined || name === only);
        return activate(wanted, { trust, settings: set.settings });
    }
    return current;
}
