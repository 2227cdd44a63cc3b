/** Patterns that people write, searched in linear time whatever the text: no input can stall a guard. */
import { messageOf } from '../spec/errors.ts';
/** Throws an Error that says what is wrong with the pattern. */
export async function compilePattern(text) {
    return plainPattern(text) ?? (await loadPatterns())(text);
}
/** What is wrong with a pattern and what to write instead; null when it is fine. */
export async function checkPattern(text) {
    try {
        await compilePattern(text);
        return null;
    }
    catch (thrown) {
        return messageOf(thrown);
    }
}
/** The same as `compilePattern` for those who meet their patterns only while they run. */
export async function loadPatterns() {
    // With the engine, which is large, come the words about patterns that it cannot take.
    const { compileLinear } = await import('./linear-pattern.ts');
    return (text) => {
        const known = compiled.get(text);
        if (known)
            return known;
        const pattern = plainPattern(text) ?? compileLinear(text);
        if (compiled.size >= CACHE_SIZE)
            compiled.delete(compiled.keys().next().value);
        compiled.set(text, pattern);
        return pattern;
    };
}
const CACHE_SIZE = 1000;
const compiled = new Map();
/**
 * Words, alternatives of words and whole words need no engine; loading one costs more than all the matching
 * of a usual event.
 */
export function plainPattern(text) {
    // The name of a tool, as most patterns are: the patterns below take longer to compile than 50 such hooks to judge.
    if (/^[\w-]+$/.test(text))
        return { test: (subject) => subject.includes(text) };
    if (text.includes('\\|'))
        return undefined; // a bar that is meant literally
    const whole = /^\^\((?:\?:)?([^()]*)\)\$$/.exec(text);
    const branches = (whole ? whole[1] : text).split('|');
    const tests = [];
    for (const branch of branches) {
        const test = plainTest(whole ? `^${branch}$` : branch);
        if (!test)
            return undefined;
        tests.push(test);
    }
    return { test: (subject) => tests.some((test) => test(subject)) };
}
function plainTest(branch) {
    const found = /^(\^?)((?:[^\\^$.*+?()[\]{}]|\\[-./ :@#%&,;=!'"<>~_$^*+?()[\]{}])*)(\.\*)?(\$?)$/.exec(branch);
    if (!found)
        return undefined;
    const [, start, escaped, rest, end] = found;
    const word = escaped.replace(/\\(.)/g, '$1');
    // `.*` at the end changes nothing in a search, but `.*$` asks for one line.
    if (rest && end)
        return undefined;
    if (start && end)
        return (text) => text === word || text === `${word}\n`;
    if (start)
        return (text) => text.startsWith(word);
    if (end)
        return (text) => text.endsWith(word) || text.endsWith(`${word}\n`);
    return (text) => text.includes(word);
}
