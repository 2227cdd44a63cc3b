/**
 * The guards that are always there: no tool call changes crosshook, its hooks and state, or the places where agents keep
 * theirs, and none reads its keys. `self_protection = false` in the settings file, which they protect too, turns them off.
 */
import { dirname } from 'node:path';
import { FOLDER_FORMAT } from '../dialects/list.ts';
import { HOOK_DEFAULTS } from '../spec/hook.ts';
const ONLY_A_PERSON = 'Only the person may do that, in a terminal of their own. Say what should be changed and why, and go on without it.';
const DENY = {
    decision: 'deny',
    reason: `This would change the guards of this agent, or read their keys. ${ONLY_A_PERSON}`,
};
const ASK = {
    decision: 'ask',
    reason: 'This may change the guards of this agent: what exactly it touches could not be followed.',
};
const BUILT_IN = 'built in';
/** Deleting a whole home folder or system deletes the guards with it. `fire`, which no agent calls, leaves that to hooks. */
const WIDE = 'crosshook/self-protection-wide';
export function isForAgentsOnly({ name, scope }) {
    return scope === 'managed' && name === WIDE;
}
/** Named to people only where they have a say. */
export function isBuiltIn({ origin }) {
    return origin.file === BUILT_IN;
}
/** In every hook set that was not narrowed to some sources. */
export function selfProtection(paths) {
    const ours = anyOf([
        paths.state,
        paths.cache,
        paths.data,
        paths.runtime,
        dirname(paths.settings),
        dirname(paths.managedSettings),
        paths.userHooks,
        paths.managedHooks,
    ]);
    const keys = `{${[paths.state, paths.runtime].map(literal).join(',')}}/{state.key,*.token,*.key}`;
    const changes = { does: ['write', 'delete'] };
    return [
        hook('crosshook/self-protection', DENY, [
            { does: ['change_guards'], certain: true, not: { does: ['change_guards'], place: ['root'] } },
            { ...changes, place: ['guard'], certain: true, not: { does: ['write', 'delete'], place: ['root'] } },
            { ...changes, path: ours },
            // Its sockets answer whoever may connect.
            { does: ['connect'], path: ours },
            { does: ['read', 'send', 'reveal_secret'], path: keys },
        ]),
        hook(WIDE, DENY, [
            { does: ['change_guards'], certain: true },
            { ...changes, place: ['guard'], certain: true },
        ]),
        hook('crosshook/self-protection-unclear', ASK, [
            { does: ['change_guards', 'write', 'delete'], place: ['guard'], certain: false },
            { does: ['change_guards'], certain: false },
        ]),
    ];
}
function hook(name, outcome, any) {
    return {
        ...HOOK_DEFAULTS,
        name,
        format: FOLDER_FORMAT,
        scope: 'managed',
        unique_name: true,
        replaceable: false,
        description: 'Built in: the guards of this agent are changed by people only.',
        events: ['before_tool'],
        matcher: { not_plain: true, any },
        run: { type: 'outcome', outcome },
        on_failure: 'closed',
        // After every hook that people wrote: what they have to say is more to the point.
        order: 10000,
        unless_refused: true,
        origin: { file: BUILT_IN },
    };
}
function anyOf(folders) {
    return `{${[...new Set(folders)].map(literal).join(',')}}{,/**}`;
}
/** A path in a glob stands for itself. */
function literal(path) {
    return path.replace(/[\\*?[\]{}(),!|+@]/g, '\\$&');
}
