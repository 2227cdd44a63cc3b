/** What is allowed in a HOOK.md but probably not meant. Warnings only. */
import { didYouMean } from '../../spec/nearest.ts';
import { TOOLS } from '../../spec/tool.ts';
import { toolWords, unknownTools } from '../lib/tool-words.ts';
import { frontmatterSchema } from './schema.ts';
/** The specification's guides: about 100 tokens of metadata, below 1000 for the file; some four characters each. */
const METADATA_GUIDE = 400;
const FILE_GUIDE = 4000;
export function lint(fields, fileSize) {
    const advice = unknownKeys(fields, Object.keys(frontmatterSchema.shape));
    for (const [key, value] of Object.entries(fields.matcher ?? {}))
        if (typeof value === 'string' && value.includes('\b'))
            advice.push({
                field: `matcher.${key}`,
                message: 'The pattern contains a backspace character: between double quotes YAML reads `\\b` as one.',
                fix: 'Write the pattern between single quotes.',
            });
    for (const { field, pattern } of toolPatterns(fields.matcher, 'matcher'))
        for (const word of unknownTools(pattern))
            advice.push({
                field,
                message: `No agent that crosshook knows has a tool called "${word}".${didYouMean(word, toolWords())}`,
                fix: `The names that mean the same in every agent are ${Object.keys(TOOLS).join(', ')}; see \`crosshook help tools\`.`,
            });
    if (fields.async && fields.outcome)
        advice.push({
            field: 'async',
            message: 'The answer in `outcome` has no effect: nobody waits for an async hook.',
            fix: 'Take `async` out.',
        });
    if (fields.async && fields.on_failure === 'closed')
        advice.push({
            field: 'on_failure',
            message: 'An async hook blocks nothing, also when it fails.',
            fix: 'Take `async` out, or `on_failure`.',
        });
    if (/\p{Cc}/u.test(fields.name))
        advice.push({ field: 'name', message: 'The name contains control characters.', fix: 'Remove them.' });
    if (fields.name.length + fields.description.length + fields.trigger.length > METADATA_GUIDE)
        advice.push({
            field: 'description',
            message: 'Name, description and trigger are longer than the guide of about 100 tokens.',
            fix: 'Shorten the description; details go below the frontmatter.',
        });
    if (fileSize > FILE_GUIDE)
        advice.push({
            field: 'description',
            message: 'The file is longer than the guide of 1000 tokens.',
            fix: 'Move long text to another file.',
        });
    return advice;
}
/** Also in matchers inside others. */
function toolPatterns(matcher, field) {
    if (typeof matcher !== 'object' || matcher === null)
        return [];
    return Object.entries(matcher).flatMap(([key, value]) => key === 'tool' && typeof value === 'string'
        ? [{ field: `${field}.tool`, pattern: value }]
        : toolPatterns(value, `${field}.${key}`));
}
/** What is wrong with the text of the script. */
export function lintScript(name, text, fields) {
    const advice = [];
    if (/^#![^\n]*\r(?:\n|$)/.test(text))
        advice.push({
            field: 'run',
            message: `The first line of ${name} ends with a carriage return: the system looks for an interpreter of that name.`,
            fix: `Save it with Unix line ends (\`sed -i 's/\\r$//' ${name}\`).`,
        });
    if (fields.async && /\bexit\s+2\b|["']decision["']\s*:\s*["']deny["']/.test(text))
        advice.push({
            field: 'async',
            message: `${name} seems to block, which an async hook cannot.`,
            fix: 'Take `async` out.',
        });
    return advice;
}
function unknownKeys(given, known) {
    return Object.keys(given)
        .filter((key) => !known.includes(key))
        .map((key) => ({
        field: key,
        message: `Unknown field \`${key}\`; it is ignored.${didYouMean(key.slice(0, 80), known)}`,
        fix: 'Remove it, or put it below `metadata`.',
    }));
}
