/** What the words of a line become: quotes removed, everything expanded that the line tells, the rest marked unknown. */
import { cutShort } from '../cut.ts';
import { evaluate } from './arithmetic.ts';
import { expandBraces } from './brace.ts';
import { runScript, substitute } from './execute.ts';
import { parameter, simple } from './parameter.ts';
import { spend } from './run.ts';
import { mergeFlows } from './state.ts';
/** Words that one expansion may become. */
const MOST_FIELDS = 4096;
export function expandWord(run, word, state) {
    if (!spend(run, 1 + (word.text.length >> 10)))
        return [{ text: word.value, unknown: true }];
    const { parts } = word;
    if (!parts)
        return [{ text: word.value }];
    if (parts.some(({ type }) => type === 'BraceExpansion' || type === 'ExtendedGlob')) {
        const texts = alternatives(word.text);
        if (texts.length > 1 || texts[0] !== word.text)
            return texts.flatMap((text) => {
                if (!spend(run, 1 + (text.length >> 5)))
                    return [];
                return reparse(run, text).flatMap((each) => each.parts ? fields(run, each.parts, state) : [{ text: each.value }]);
            });
    }
    return fields(run, parts, state);
}
const LONGEST_ALTERNATIVES = 2000;
/** `{a,b}`, and `@(a|b)` as if it were written so. */
function alternatives(text) {
    if (text.length > LONGEST_ALTERNATIVES) {
        cutShort(`a word with braces is longer than ${LONGEST_ALTERNATIVES} characters`);
        return [text];
    }
    const plain = text.replace(/([@+*?])\(([^()]*)\)/g, (_, kind, list) => {
        const choices = list.split('|');
        if (kind === '?' || kind === '*')
            choices.push('');
        return choices.length === 1 ? choices[0] : `{${choices.join(',')}}`;
    });
    return expandBraces(plain).filter((each) => each !== '');
}
/** One text, as in an assignment or a here-string: no splitting. */
export function expandText(run, word, state) {
    if (!word.parts)
        return { text: word.value };
    const builder = new Builder(' \t\n');
    for (const part of word.parts)
        addPart(run, part, state, builder, true);
    const [first = { text: '' }, ...more] = builder.done(true);
    return more.length === 0 ? first : { ...first, text: [first, ...more].map(({ text }) => text).join(' ') };
}
/** The text of a here-document. */
export function expandParts(run, parts, state) {
    const builder = new Builder(' \t\n');
    for (const part of parts)
        addPart(run, part, state, builder, true);
    const [first = { text: '' }, ...more] = builder.done(true);
    return more.length === 0 ? first : { ...first, text: [first, ...more].map(({ text }) => text).join(' ') };
}
function fields(run, parts, state) {
    const separator = state.variables.get('IFS');
    const builder = new Builder(separator && !separator.unknown ? separator.text : ' \t\n');
    for (const part of parts)
        addPart(run, part, state, builder, false);
    return builder.done(false);
}
function addPart(run, part, state, builder, isText) {
    switch (part.type) {
        case 'Literal':
            builder.literal(part.value, false);
            break;
        case 'SingleQuoted':
        case 'AnsiCQuoted':
            builder.literal(part.value, true);
            break;
        case 'DoubleQuoted':
        case 'LocaleString':
            builder.literal('', true);
            for (const child of part.parts)
                addChild(run, child, state, builder);
            break;
        case 'Glob':
            builder.literal(part.value, false);
            builder.glob();
            break;
        case 'ExtendedGlob':
        case 'BraceExpansion':
            builder.literal(part.text, false);
            break;
        case 'ProcessSubstitution': {
            const flow = part.script ? substitute(run, part.script, state) : {};
            builder.flow('/dev/fd/63', flow);
            break;
        }
        default: {
            const expansion = expansionOf(run, part, state);
            if (isText)
                builder.quoted(expansion, part.text);
            else
                builder.split(expansion, part.text);
        }
    }
}
function addChild(run, child, state, builder) {
    if (child.type === 'Literal')
        builder.literal(child.value, true);
    else
        builder.quoted(expansionOf(run, child, state), child.text);
}
function expansionOf(run, part, state) {
    switch (part.type) {
        case 'SimpleExpansion':
            return simple(run, part.text.slice(1), state);
        case 'ParameterExpansion':
            return parameter(run, part, state);
        case 'ArithmeticExpansion': {
            const value = part.expression ? evaluate(run, part.expression, state) : null;
            return { words: [value === null ? { text: part.text, unknown: true } : { text: String(value) }] };
        }
        case 'CommandExpansion': {
            const flow = part.script
                ? substitute(run, part.script, state)
                : runScript(run, part.text.replace(/^\$\(|^`|\)$|`$/g, ''), state, null);
            return { words: [ofFlow(flow, part.text)] };
        }
        default:
            return { words: [{ text: part.text, unknown: true }] };
    }
}
export function ofFlow(flow, spelled) {
    if (flow.text === undefined)
        return { text: spelled, unknown: true, flow };
    const text = flow.text.replace(/\n+$/, '');
    if (flow.partly)
        return { text, unknown: true, flow };
    return flow.paths || flow.hosts || flow.decoded ? { text, flow } : { text };
}
function reparse(run, text) {
    const [statement] = run.parser.parse(`: ${text}`).commands;
    const command = statement?.command;
    if (command?.type !== 'Command')
        return [];
    return command.args.filter((arg) => arg.type === 'Word');
}
/** Puts words together from quoted and unquoted pieces. */
class Builder {
    fields = [];
    text = '';
    /** The same word if every unset variable is empty. */
    blank = '';
    isWord = false;
    isUnknown = false;
    isGlob = false;
    isSpliced = false;
    source;
    /** Of the one variable that is the whole word. */
    others;
    separators;
    constructor(separators) {
        this.separators = separators;
    }
    literal(text, isQuoted) {
        this.text += text;
        this.blank += text;
        if (isQuoted || text !== '')
            this.isWord = true;
    }
    glob() {
        this.isGlob = true;
    }
    flow(text, flow) {
        this.literal(text, true);
        this.source = this.source ? mergeFlows(this.source, flow) : flow;
    }
    quoted(expansion, spelled) {
        // "$@" without arguments is no word at all, "$x" is an empty one.
        if (!expansion.isSeveral || expansion.words.length > 0)
            this.isWord = true;
        expansion.words.forEach((word, index) => {
            if (index > 0)
                this.separate(true);
            this.append(word, expansion.isUnset === true, spelled);
        });
    }
    split(expansion, spelled) {
        expansion.words.forEach((word, index) => {
            if (index > 0)
                this.separate(false);
            if (word.unknown) {
                this.append(word, expansion.isUnset === true, spelled);
                return;
            }
            if (/[*?[]/.test(word.text))
                this.isGlob = true;
            const pieces = splitFields(word.text, this.separators);
            pieces.forEach((piece, at) => {
                if (at > 0)
                    this.separate(false);
                this.append({ ...word, text: piece }, false, spelled);
            });
        });
    }
    done(isText) {
        this.separate(isText);
        return this.fields;
    }
    append(word, isUnset, spelled) {
        this.text += word.text;
        if (!isUnset)
            this.blank += word.text;
        else
            this.isSpliced = true;
        if (word.text !== '')
            this.isWord = true;
        if (word.unknown)
            this.isUnknown = true;
        if (word.flow)
            this.source = this.source ? mergeFlows(this.source, word.flow) : word.flow;
        if (word.others && this.text === word.text)
            this.others = word.others;
        void spelled;
    }
    separate(isKept) {
        if (this.fields.length >= MOST_FIELDS)
            cutShort(`more than ${MOST_FIELDS} words of one expansion`);
        else if (this.isWord || isKept) {
            const { text, blank } = this;
            // `$DIR/x` with an empty DIR is seldom meant; `.e${x}nv` always is.
            const isSplice = this.isSpliced && blank !== '' && !/^\$\{?\w+\}?(?:\/|$)/.test(text);
            this.fields.push({
                text,
                ...(this.isUnknown && { unknown: true }),
                ...(this.isGlob && { glob: true }),
                ...(this.source && { flow: this.source }),
                ...(isSplice && { blank }),
                ...(this.others && { others: this.others }),
            });
        }
        this.text = '';
        this.blank = '';
        this.isWord = false;
        this.isUnknown = false;
        this.isGlob = false;
        this.isSpliced = false;
        this.source = undefined;
        this.others = undefined;
    }
}
function splitFields(text, separators) {
    if (separators === '' || text === '')
        return [text];
    const pieces = [''];
    for (const char of text)
        if (separators.includes(char)) {
            if (!(/\s/.test(char) && pieces.at(-1) === '' && pieces.length > 1))
                pieces.push('');
        }
        else
            pieces[pieces.length - 1] += char;
    return pieces;
}
