/** One check for each field of the matcher table (spec/matcher.ts); a field without one does not compile. */
import { isPlainCall } from '../acts/plain.ts';
import { eventRow } from '../spec/event.ts';
import { touchedPaths } from '../spec/tool.ts';
import { compileActs, isPathOfAct } from './act-checks.ts';
import { compileGlob, compilePathGlob, compileSuffixGlob } from './glob.ts';
import { compilePattern, plainPattern } from './pattern.ts';
/** A condition that could not be judged: its hook has failed, whatever the other conditions say. */
export class Unjudged {
    because;
    /** The text it looked at, which may be a model's, took too long to look at. */
    isLate;
    constructor(because, isLate = false) {
        this.because = because;
        this.isLate = isLate;
    }
}
/** Compiled in this order: cheap conditions first. */
export const CHECKS = {
    tool_names: {
        compile: (names) => (name) => names.includes(name),
        wants: (names) => names.join(' or '),
    },
    tool_globs: {
        compile(globs) {
            const compiled = globs.map(compileGlob);
            return (name) => compiled.some((glob) => glob(name));
        },
        wants: (globs) => globs.join(' or '),
    },
    tool: {
        // Most patterns are plain words, which need no library.
        compile: (text) => plainPattern(text)?.test ?? compilePattern(text).then((pattern) => (name) => pattern.test(name)),
        wants: (text) => text,
    },
    agents: {
        quick: (agents) => ({ agent }) => agents.includes(agent ?? '')
            ? null
            : `the agent is ${agent ?? 'unknown'}, the hook wants ${agents.join(' or ')}`,
    },
    session: {
        quick: (session) => ({ session_id: id }) => id === session ? null : `the session is ${id}, the hook wants ${session}`,
    },
    subject: {
        quick(text) {
            const glob = compileGlob(text);
            return (event) => {
                const found = subjectOf(event);
                return glob(found) ? null : `the subject is ${quote(found)}, the hook wants ${text}`;
            };
        },
    },
    not_plain: {
        quick: () => (event) => isPlainCall(event.tool_name, inputOf(event)) ? 'the call only looks at things' : null,
    },
    pattern: {
        quick: () => hasTool,
        async compile(text) {
            const pattern = await compilePattern(text);
            return (event) => leaves(event).some((leaf) => pattern.test(leaf)) || pattern.test(jsonText(event))
                ? null
                : `nothing in the tool's input matches ${quote(text)}`;
        },
    },
    does: { quick: () => hasTool, compile: (_, matcher) => compileActs('does', matcher) },
    place: { quick: () => hasTool, compile: (_, matcher) => compileActs('place', matcher) },
    host: { quick: () => hasTool, compile: (_, matcher) => compileActs('host', matcher) },
    program: { quick: () => hasTool, compile: (_, matcher) => compileActs('program', matcher) },
    certain: { quick: () => hasTool, compile: (_, matcher) => compileActs('certain', matcher) },
    path: {
        quick: (_, matcher) => (isPathOfAct(matcher) ? hasTool : hasPath),
        async compile(text, matcher) {
            if (isPathOfAct(matcher))
                return () => null;
            const glob = await compilePathGlob(text);
            return (event) => paths(event).some((path) => glob(path, event.work_dir ?? ''))
                ? null
                : `path ${paths(event).join(', ')} does not match ${text}`;
        },
    },
    path_suffix: {
        quick: () => hasPath,
        compile(text) {
            const glob = compileSuffixGlob(text);
            return (event) => paths(event).some(glob) ? null : `path ${paths(event).join(', ')} does not match ${text}`;
        },
    },
    command: {
        quick: () => hasCommand,
        async compile(text) {
            const [pattern, { loadShell }] = await Promise.all([
                compilePattern(text),
                import('../acts/shell/shell.ts'),
            ]);
            const shell = await loadShell();
            return (event) => shellCommands(event, shell).some((command) => pattern.test(command.text))
                ? null
                : `no command of the line matches ${quote(text)}`;
        },
    },
    command_text: {
        quick: () => hasCommand,
        async compile(text) {
            const pattern = await compilePattern(text).catch(() => ({
                test: (line) => line.includes(text),
            }));
            return (event) => rawCommands(event).some((line) => pattern.test(line))
                ? null
                : `the command line does not match ${quote(text)}`;
        },
    },
    subject_pattern: {
        async compile(text) {
            const pattern = await compilePattern(text);
            return (event) => {
                const found = subjectOf(event);
                return pattern.test(found) ? null : `the subject is ${quote(found)}, the hook wants ${quote(text)}`;
            };
        },
    },
    when: {
        async compile(text) {
            const { compileCondition } = await import('./condition.ts');
            const condition = await compileCondition(text);
            return (event) => {
                const { holds, error, isLate } = condition(event);
                if (error !== undefined)
                    return new Unjudged(`the condition ${quote(text)} could not be evaluated: ${error}`, isLate);
                return holds ? null : `the condition ${quote(text)} does not hold`;
            };
        },
    },
    any: {
        async compile(choices, _matcher, nested) {
            const checks = await Promise.all(choices.map(nested));
            return (event) => {
                const verdicts = checks.map((check) => check(event));
                if (verdicts.includes(null))
                    return null;
                const unjudged = verdicts.find((verdict) => verdict instanceof Unjudged);
                return unjudged ?? `none of its alternatives holds (${verdicts.join('; ')})`;
            };
        },
    },
    not: {
        async compile(matcher, _matcher, nested) {
            const excluded = await nested(matcher);
            return (event) => {
                const verdict = excluded(event);
                if (verdict instanceof Unjudged)
                    return verdict;
                return verdict === null ? 'what the hook excludes holds' : null;
            };
        },
    },
};
const NO_TOOL = 'the event has no tool, the hook wants one';
const hasTool = (event) => (eventRow(event.event_type).tool ? null : NO_TOOL);
const hasCommand = (event) => hasTool(event) ?? (commandLines(event).length > 0 ? null : 'the tool has no command line');
const hasPath = (event) => hasTool(event) ?? (paths(event).length > 0 ? null : 'the tool touches no path');
/** The first reason among several checks. What does not hold counts before what cannot be judged. */
export function every(checks) {
    if (checks.length === 1)
        return checks[0];
    return (input) => {
        let unjudged = null;
        for (const check of checks) {
            const verdict = check(input);
            if (typeof verdict === 'string')
                return verdict;
            unjudged ??= verdict;
        }
        return unjudged;
    };
}
export function toolNames(event) {
    if (!eventRow(event.event_type).tool)
        return null;
    const { tool_name: name, native_tool_name: native } = event;
    const names = typeof name === 'string' ? [name] : [];
    if (typeof native === 'string' && native !== name)
        names.push(native);
    return names;
}
/** Null when one of the tool's names is wanted; `names` is null when the event has no tool. */
export function judgeNames(names, wanted, test) {
    if (names === null)
        return NO_TOOL;
    return names.some(test) ? null : `tool is ${names.join(' / ') || 'unknown'}, the hook wants ${wanted}`;
}
function quote(text) {
    return `\`${text}\``;
}
function subjectOf(event) {
    const { subject } = eventRow(event.event_type);
    const value = subject === null ? undefined : event[subject];
    return typeof value === 'string' ? value : value === undefined || value === null ? '' : String(value);
}
function inputOf(event) {
    const input = event.tool_input;
    return typeof input === 'object' && input !== null ? input : NO_INPUT;
}
const NO_INPUT = Object.freeze({});
/** Computed once for all hooks. A rewritten input is another object, so it is computed again. */
function remembered(compute) {
    const known = new WeakMap();
    return (event) => {
        const input = inputOf(event);
        let value = known.get(input);
        if (value === undefined) {
            value = compute(input);
            known.set(input, value);
        }
        return value;
    };
}
const paths = remembered(touchedPaths);
const commandLines = remembered((input) => {
    const { command } = input;
    if (typeof command === 'string')
        return [command];
    if (!Array.isArray(command))
        return [];
    return command.filter((word) => typeof word === 'string');
});
/** The raw text to search: each line, and a list of words also as one line. */
function rawCommands(event) {
    const lines = commandLines(event);
    return lines.length > 1 ? [...lines, lines.join(' ')] : lines;
}
const parsed = new WeakMap();
function shellCommands(event, shell) {
    const input = inputOf(event);
    let found = parsed.get(input);
    if (!found) {
        const words = commandLines(event);
        // A list is a program and its arguments, or, when its first item has a space, several lines.
        const isArgv = Array.isArray(input.command) && !words[0]?.includes(' ');
        found = isArgv ? shell.argv(words) : words.flatMap((line) => shell.line(line));
        parsed.set(input, found);
    }
    return found;
}
/** Values of one input in which patterns are searched. */
const MOST_LEAVES = 100000;
const leaves = remembered((input) => {
    const found = [];
    const seen = new Set();
    const open = [input];
    while (open.length > 0 && found.length < MOST_LEAVES) {
        const value = open.pop();
        if (typeof value === 'string')
            found.push(value);
        else if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
            found.push(String(value));
        else if (typeof value === 'object' && value !== null && !seen.has(value)) {
            seen.add(value);
            for (const item of Object.values(value))
                open.push(item);
        }
    }
    return found;
});
const jsonText = remembered((input) => {
    try {
        return JSON.stringify(input);
    }
    catch {
        // Only an event made in process can hold a circle or a bigint; its leaves were searched already.
        return '';
    }
});
