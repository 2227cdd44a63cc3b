/** Patterns on an engine that searches in linear time. Loaded when the first pattern needs it. */
import { RE2JS } from 're2js';
import { messageOf } from '../spec/errors.ts';
import { translatePattern } from './pattern-syntax.ts';
/** Throws an Error that says what is wrong with the pattern. */
export function compileLinear(text) {
    const translated = translatePattern(text);
    if ('problem' in translated)
        throw new Error(`Pattern \`${text}\`: ${translated.problem}`);
    try {
        const program = RE2JS.compile(translated.source);
        return { test: (subject) => program.test(subject) };
    }
    catch (thrown) {
        const cause = messageOf(thrown).replace(/^error parsing regexp: /, '');
        throw new Error(`Pattern \`${text}\` is not a valid regular expression (${cause}). Correct it, or put \\ before a character that is meant literally.`, { cause: thrown });
    }
}
