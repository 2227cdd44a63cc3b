/** Every simple command that a shell line would run, however it is quoted, nested or wrapped. */
import * as parser from 'unbash';
import { looseWords } from './loose.ts';
import { expandWord, staticOutput } from './word.ts';
import { innermost, unwrap } from './wrappers.ts';
/** The parser is loaded on the first call. */
export async function loadShell() {
    return {
        line: (text) => collect(parser, (run) => readScript(run, text, newScope())),
        argv: (words) => collect(parser, (run) => addCommand(run, [...words], newScope(), null)),
    };
}
const LONGEST_LINE = 500000;
const MOST_DOCUMENTS = 1000;
const MOST_STEPS = 50000;
const DEEPEST_SCRIPT = 12;
const DEEPEST_WRAPPER = 24;
const LONGEST_VALUE = 10000;
const MOST_ROUNDS = 8;
function collect(parser, read) {
    const run = { parser, found: new Map(), state: { steps: MOST_STEPS, isBroken: false }, depth: 0 };
    read(run);
    return [...run.found.values()];
}
function newScope() {
    return { variables: new Map([['SHELL', 'sh']]), functions: new Map(), positional: [] };
}
/** What cannot be parsed, is too long or too deep is cut into words loosely: more may match, nothing hides. */
function readScript(run, text, scope) {
    if (text.trim() === '')
        return;
    const isTooMuch = run.depth >= DEEPEST_SCRIPT ||
        text.length > LONGEST_LINE ||
        text.split('<<', MOST_DOCUMENTS).length === MOST_DOCUMENTS;
    if (isTooMuch) {
        readLoosely(run, text);
        return;
    }
    const state = { steps: run.state.steps, isBroken: false };
    try {
        visit({ ...run, state, depth: run.depth + 1 }, run.parser.parse(text), scope, null);
    }
    catch {
        // The parser promises a tree for any text; should it break that, the loose reading takes over.
        state.isBroken = true;
    }
    run.state.steps = state.steps;
    if (state.isBroken || state.steps <= 0)
        readLoosely(run, text);
}
function readLoosely(run, text) {
    const state = { steps: Number.POSITIVE_INFINITY, isBroken: false };
    const loose = { ...run, state, depth: Math.max(run.depth + 1, DEEPEST_SCRIPT) };
    for (const words of looseWords(text))
        addCommand(loose, words, newScope(), null);
}
/** `input` is what the commands below this node read, if that is known. */
function visit(run, node, scope, input) {
    run.state.steps -= 1 + ((node.end - node.pos) >> 7);
    if (run.state.steps <= 0)
        return;
    if (node.type === 'Command')
        visitCommand(run, node, scope, input);
    else if (node.type === 'Pipeline')
        visitPipeline(run, node, scope, input);
    else if (node.type === 'For')
        visitFor(run, node, scope, input);
    else {
        if (node.type === 'Script' && 'errors' in node && node.errors?.length)
            run.state.isBroken = true;
        if (node.type === 'Function')
            scope.functions.set(node.name.value, node.body);
        if (node.type === 'ParameterExpansion')
            visitReplacement(run, node, scope);
        run.parser.forEachChild(node, (child) => visit(run, child, scope, input));
    }
}
/** The parser ends `${x/$(rm /)/}` at the first slash, so what stands behind the name is read once more as words. */
function visitReplacement(run, node, scope) {
    const kind = node.operation?.type;
    if ((kind !== 'Replace' && kind !== 'Unknown') || !/[$<>]\(|`/.test(node.text))
        return;
    const behind = node.text.slice(node.parameterEnd - node.pos, -1);
    readScript({ ...run, depth: run.depth + 1 }, `: ${behind}`, scope);
}
/** What a stage prints, if it is plain to see, is what the next one reads: `echo rm -rf / | sh`. */
function visitPipeline(run, node, scope, given) {
    let input = given;
    for (const command of node.commands) {
        visit(run, command, scope, input);
        input = command.type === 'Command' ? staticOutput(command, scope, input) : null;
    }
}
function visitFor(run, node, scope, input) {
    for (const word of node.wordlist ?? [])
        visit(run, word, scope, null);
    const values = (node.wordlist ?? []).flatMap((word) => expandWord(word, scope)).slice(0, MOST_ROUNDS);
    if (values.length === 0)
        visit(run, node.body, scope, input);
    for (const value of values) {
        scope.variables.set(node.name.value, value);
        visit(run, node.body, scope, input);
    }
}
function visitCommand(run, node, scope, piped) {
    run.parser.forEachChild(node, (child) => visit(run, child, scope, null));
    for (const item of [...node.prefix, ...node.suffix])
        if (item.type === 'Assignment')
            remember(item, scope);
    const input = inputOf(node, scope) ?? piped;
    const words = node.name ? expandWord(node.name, scope) : [];
    for (const item of node.args)
        words.push(...(item.type === 'Assignment' ? [item.text] : expandWord(item, scope)));
    addCommand(run, words, scope, input);
    if (node.name?.parts) {
        // `r${x}m` runs rm when x is empty.
        const [bare, ...more] = expandWord(node.name, scope, 'empty');
        if (bare && bare !== words[0])
            addCommand(run, [bare, ...more, ...words.slice(1)], scope, input);
    }
    const targets = node.redirects.flatMap((redirection) => redirectText(redirection, scope));
    if (targets.length > 0)
        add(run, [...words, ...targets]);
    if (words[0] === 'read' && input !== null)
        rememberInput(words, input, scope);
    const body = words[0] === undefined ? undefined : scope.functions.get(words[0]);
    if (body && run.depth < DEEPEST_SCRIPT)
        visit({ ...run, depth: run.depth + 1 }, body, { ...scope, positional: words }, input);
}
function remember({ name, value, append }, scope) {
    const words = value.type === 'ArrayValue' ? value.elements : [value];
    const text = words.flatMap((word) => expandWord(word, scope)).join(' ');
    const whole = append ? `${scope.variables.get(name) ?? ''}${text}` : text;
    if (whole.length < LONGEST_VALUE && !/\$\(|`/.test(whole))
        scope.variables.set(name, whole);
    else
        scope.variables.delete(name);
}
function rememberInput(words, input, scope) {
    const names = words.slice(1).filter((word) => /^[A-Za-z_]\w*$/.test(word));
    const fields = input.trim().split(/\s+/);
    names.forEach((name, at) => {
        scope.variables.set(name, at === names.length - 1 ? fields.slice(at).join(' ') : (fields[at] ?? ''));
    });
}
/** The text of a here-document, a here-string or `<(echo …)` that the command reads. */
function inputOf(node, scope) {
    let input = null;
    for (const redirection of node.redirects) {
        if (redirection.type === 'HereDoc')
            input = redirection.body.text;
        else if (redirection.type === 'HereString' && redirection.target)
            input = expandWord(redirection.target, scope).join(' ');
        else if (redirection.type === 'Redirect' && redirection.target)
            input = processOutput(redirection.target, scope) ?? input;
    }
    if (input !== null)
        return input;
    for (const item of node.args)
        if (item.type === 'Word')
            input ??= processOutput(item, scope);
    return input;
}
function processOutput(word, scope) {
    const part = word.parts?.[0];
    if (part?.type !== 'ProcessSubstitution' || part.operator !== '<')
        return null;
    const command = part.script?.commands[0]?.command;
    return command?.type === 'Command' ? staticOutput(command, scope, null) : null;
}
function redirectText(redirection, scope) {
    if (redirection.type !== 'Redirect' || !redirection.target)
        return [];
    return [redirection.operator, ...expandWord(redirection.target, scope)];
}
/** Notes a command, then what it starts in turn. */
function addCommand(run, words, scope, input) {
    if (words.length === 0 || words[0] === '' || run.state.steps-- <= 0)
        return;
    add(run, words);
    const program = words[0];
    const base = program.slice(program.lastIndexOf('/') + 1);
    const plain = base === program || base === '' ? words : [base, ...words.slice(1)];
    if (plain !== words)
        add(run, plain);
    if (run.depth >= DEEPEST_WRAPPER) {
        add(run, innermost(plain));
        return;
    }
    const deeper = { ...run, depth: run.depth + 1 };
    for (const inner of unwrap(plain, input)) {
        if ('script' in inner)
            readScript(deeper, inner.script, {
                ...newScope(),
                functions: scope.functions,
                variables: new Map(scope.variables),
                positional: inner.positional ?? [],
            });
        else
            addCommand(deeper, inner.words, scope, inner.input ?? null);
    }
}
function add(run, words) {
    const text = words.join(' ');
    if (text === '' || run.found.has(text))
        return;
    run.found.set(text, { words, text });
    run.state.steps -= text.length >> 6;
}
