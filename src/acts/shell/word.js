/** What a word of a shell line becomes: quotes removed, braces and known variables expanded. */
const MOST_FIELDS = 64;
const MOST_BRACES = 8;
const DEEPEST_BRACE = 8;
const DEEPEST_OUTPUT = 4;
/** One word may become several (`{rm,-rf}`, `$IFS`) or none. `unknown` says what stands for an unknown variable. */
export function expandWord(word, scope, unknown = 'text', depth = 0) {
    if (!word.parts)
        return [word.value];
    const fields = [];
    let current = [''];
    let isWord = false;
    let braces = 0;
    const append = (choices) => {
        if (choices.length === 1)
            current = current.map((start) => start + choices[0]);
        else
            current = current
                .flatMap((start) => choices.map((choice) => start + choice))
                .slice(0, Math.max(MOST_FIELDS, choices.length));
    };
    const separate = () => {
        fields.push(...current.filter((field) => field !== '' || isWord));
        current = [''];
        isWord = false;
    };
    const appendAll = (values) => {
        values.forEach((value, index) => {
            if (index > 0)
                separate();
            append([value]);
        });
    };
    for (const part of word.parts) {
        if (part.type === 'BraceExpansion')
            append(braces++ < MOST_BRACES ? expandBrace(part.text) : [part.text]);
        else if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') {
            isWord = true;
            for (const child of part.parts) {
                if (isAll(child) && scope.positional.length > 1)
                    appendAll(scope.positional.slice(1));
                else
                    append([
                        child.type === 'Literal' ? child.value : (resolve(child, scope, unknown, depth) ?? child.text),
                    ]);
            }
        }
        else if (part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted') {
            isWord = true;
            append([part.value]);
        }
        else if (part.type === 'Literal' || part.type === 'Glob')
            append([part.value]);
        else {
            const value = resolve(part, scope, unknown, depth);
            if (value === null)
                append([part.text]);
            else
                appendAll(value.split(/[ \t\n]+/));
        }
    }
    separate();
    return fields;
}
/** What a command prints, when that can be told from the line alone. */
export function staticOutput(command, scope, input, depth = 0) {
    if (!command.name || depth > DEEPEST_OUTPUT)
        return null;
    const [program, ...args] = [command.name, ...command.args].flatMap((word) => word.type === 'Assignment' ? [word.text] : expandWord(word, scope, 'text', depth));
    const base = program?.slice(program.lastIndexOf('/') + 1);
    if (base === 'echo') {
        const words = args.filter((arg, index) => !(index === 0 && /^-[neE]+$/.test(arg)));
        return args[0]?.includes('e') && words.length < args.length
            ? decodeEscapes(words.join(' '))
            : words.join(' ');
    }
    if (base === 'printf')
        return formatted(args[0] === '--' ? args.slice(1) : args);
    const here = command.redirects.find((redirection) => redirection.type !== 'Redirect');
    const text = here?.type === 'HereDoc'
        ? here.body.text
        : here?.type === 'HereString' && here.target
            ? expandWord(here.target, scope).join(' ')
            : input;
    if (text === null)
        return null;
    if (base === 'cat' || base === 'tee')
        return text;
    if (base === 'rev')
        return [...text].reverse().join('');
    if (base === 'base64' && args.some((arg) => /^(-d|-D|-di|--decode)$/.test(arg)))
        return Buffer.from(text, 'base64').toString('utf8');
    if (base === 'xxd' && args.some((arg) => arg.startsWith('-r')) && args.some((arg) => /p/.test(arg)))
        return Buffer.from(text.replace(/\s/g, ''), 'hex').toString('utf8');
    return null;
}
function formatted([format = '', ...values]) {
    let next = 0;
    const text = decodeEscapes(format).replace(/%[-0-9.]*([sbcdq%])/g, (_, kind) => kind === '%' ? '%' : (values[next++] ?? ''));
    return next < values.length ? [text, ...values.slice(next)].join(' ') : text;
}
export function decodeEscapes(text) {
    return text.replace(/\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|([nt\\]))/g, (_, hex, octal, plain) => {
        if (hex !== undefined)
            return String.fromCharCode(Number.parseInt(hex, 16));
        if (octal !== undefined)
            return String.fromCharCode(Number.parseInt(octal, 8));
        return plain === 'n' ? '\n' : plain === 't' ? '\t' : '\\';
    });
}
function isAll(part) {
    return /^\$(?:[@*]|\{[@*]\})$/.test(part.text);
}
/** The value of an expansion, null when the line does not tell it. */
function resolve(part, scope, unknown, depth) {
    const missing = unknown === 'empty' ? '' : null;
    if (part.type === 'SimpleExpansion')
        return variable(part.text.slice(1), scope) ?? missing;
    if (part.type === 'CommandExpansion')
        return substitution(part, scope, depth);
    if (part.type !== 'ParameterExpansion')
        return null;
    const { parameter, operation, prefix } = part;
    if (parameter === 'IFS')
        return ' ';
    if (prefix !== undefined)
        return null;
    const value = variable(parameter, scope);
    switch (operation?.type) {
        case undefined:
            return value ?? missing;
        case 'Default':
            if (/[+?]/.test(operation.operator))
                return missing;
            return value || expandWord(operation.operand, scope, unknown, depth + 1).join(' ');
        case 'Slice': {
            const [from, length] = [
                Number(operation.offset.value),
                Number(operation.length?.value ?? Number.POSITIVE_INFINITY),
            ];
            return value?.slice(from).slice(0, length) ?? missing;
        }
        case 'CaseModification':
            return (operation.operator.startsWith(',') ? value?.toLowerCase() : value?.toUpperCase()) ?? missing;
        case 'Remove':
            return value?.replace(operation.operand.value, '') ?? missing;
        case 'Replace':
            return value?.replaceAll(operation.pattern.value, operation.replacement.value) ?? missing;
        default:
            return missing;
    }
}
function variable(name, scope) {
    if (name === 'IFS')
        return ' ';
    if (name === '@' || name === '*')
        return scope.positional.slice(1).join(' ');
    if (/^[0-9]$/.test(name))
        return scope.positional[Number(name)] ?? '';
    return scope.variables.get(name);
}
function substitution(part, scope, depth) {
    if (depth > DEEPEST_OUTPUT)
        return null;
    const [statement, ...more] = part.script?.commands ?? [];
    if (!statement || more.length > 0)
        return null;
    const { command } = statement;
    let output = null;
    for (const stage of command.type === 'Pipeline' ? command.commands : [command]) {
        if (stage.type !== 'Command')
            return null;
        output = staticOutput(stage, scope, output, depth + 1);
        if (output === null)
            return null;
    }
    return output?.replace(/\n+$/, '') ?? null;
}
/** `{a,b{c,d}}` → its choices. A range such as `{1..3}` stays as it is. */
function expandBrace(text, level = 0) {
    if (level > DEEPEST_BRACE)
        return [text];
    const choices = [];
    let depth = 0;
    let start = 1;
    for (let at = 0; at < text.length; at++) {
        const char = text[at];
        if (char === '\\')
            at++;
        else if (char === "'" || char === '"')
            at = Math.max(at, text.indexOf(char, at + 1));
        else if (char === '{')
            depth++;
        else if ((char === ',' && depth === 1) || (char === '}' && --depth === 0)) {
            choices.push(text.slice(start, at));
            start = at + 1;
        }
    }
    if (choices.length < 2)
        return [text];
    return choices.flatMap((choice) => {
        const inner = choice.indexOf('{');
        const nested = inner === -1 ? undefined : choice.slice(inner, choice.lastIndexOf('}') + 1);
        if (!nested)
            return [bare(choice)];
        const [before, after] = [choice.slice(0, inner), choice.slice(inner + nested.length)];
        return expandBrace(nested, level + 1).map((middle) => bare(before) + middle + bare(after));
    });
}
function bare(text) {
    return text.replace(/\\([\s\S])|["']/g, '$1');
}
