/** What a tool call does: the one way in. Imported only when somebody asks; everything it needs comes with it. */
import * as parser from 'unbash';
import { cutShort, takeCuts } from './cut.ts';
import { apply } from './follow.ts';
import { keysInText } from './keys-in-text.ts';
import { lazyProgramTable, programTable } from './programs/index.ts';
import { clock, LONGEST_TIME, MOST_STEPS } from './shell/run.ts';
import { newState } from './shell/state.ts';
import { toolEffects } from './tools.ts';
import { thisWorld } from './world.ts';
/** Everything that a call does, keys in its text among it. */
export function loadActs(more) {
    const follow = loadFollowed(more);
    return (call, world) => [...keysInText(call), ...follow(call, world)];
}
/** Without the keys in its text, for those who do not ask for them. `more` are rows beside those that are built in; they win. */
export function loadFollowed(more) {
    const programs = more ? withRows(more) : builtIn();
    return (call, world) => actsOf(parser, programs, call, world ?? thisWorld(call.work_dir ?? process.cwd(), call.env));
}
let table;
function builtIn() {
    table ??= lazyProgramTable();
    return table;
}
function withRows(more) {
    const own = programTable([more]);
    return {
        get: (name) => own.get(name) ?? builtIn().get(name),
        has: (name) => own.has(name) || builtIn().has(name),
    };
}
function actsOf(parser, programs, { tool_name: name, tool_input: input }, world) {
    const run = {
        parser,
        programs,
        world,
        found: new Map(),
        steps: MOST_STEPS,
        deadline: clock() + LONGEST_TIME,
        depth: 0,
        parallel: 0,
    };
    const state = newState(folderOf(input) ?? world.workDir);
    takeCuts();
    try {
        const command = { name: '', argv: [], text: '', isGuess: false };
        apply(run, state, toolEffects(name, input), command, {}, { input: null, env: new Map() });
    }
    catch (error) {
        // The parser promises a tree for any text and the stack has an end: whatever breaks that must not hide the call.
        cutShort(`could not be followed: ${error instanceof Error ? error.message : String(error)}`);
    }
    return [...run.found.values()].map(tidy).concat(takeCuts().map(incomplete));
}
/** The folder that a shell tool is told to work in. */
function folderOf(input) {
    for (const field of ['cwd', 'workdir', 'working_directory', 'workingDirectory', 'dir_path']) {
        const value = input[field];
        if (typeof value === 'string' && value.startsWith('/'))
            return value;
    }
    return undefined;
}
function incomplete(why) {
    return { does: 'unknown', certain: false, incomplete: true, why };
}
/** Acts of tools that start nothing name no program. */
function tidy(act) {
    if (act.program !== '' && !act.through?.includes(''))
        return act;
    const { program, command, through, ...rest } = act;
    const wrappers = through?.filter((each) => each !== '') ?? [];
    return {
        ...rest,
        ...(program && { program }),
        ...(command && { command }),
        ...(wrappers.length > 0 && { through: wrappers }),
    };
}
