/** The `hooks` block of A3S: limits and defaults for all hooks that are registered. */
import { didYouMean } from '../../spec/nearest.ts';
import { isObject } from './tools.ts';
export const AUDIT_LEVELS = ['off', 'info', 'verbose'];
export const FAIL_BEHAVIORS = ['continue', 'block'];
export const DEFAULT_SETTINGS = {
    enabled: true,
    maxHooksPerEvent: 10,
    maxTotalHooks: 50,
    defaultTimeout: 5000,
    failBehavior: 'continue',
    auditLevel: 'info',
};
/** What is wrong keeps its default. */
export function checkSettings(block) {
    const settings = { ...DEFAULT_SETTINGS };
    const complaints = [];
    if (!isObject(block)) {
        const complaint = {
            field: 'hooks',
            message: '`hooks` is not an object',
            fix: 'Write "hooks": {"enabled": true}.',
        };
        return { settings, complaints: [{ level: 'error', ...complaint }] };
    }
    for (const [field, value] of Object.entries(block)) {
        const rule = Object.hasOwn(RULES, field) ? RULES[field] : undefined;
        if (!rule) {
            const message = `unknown setting \`${field}\`.${didYouMean(field, Object.keys(RULES))}`;
            complaints.push({
                level: 'warning',
                field,
                message,
                fix: `Settings: ${Object.keys(RULES).join(', ')}.`,
            });
        }
        else if (!rule.fits(value)) {
            const message = `\`${field}\` is ${JSON.stringify(value)}`;
            complaints.push({ level: 'error', field, message, fix: `It must be ${rule.words}.` });
        }
        else
            Object.assign(settings, { [field]: value });
    }
    return { settings, complaints };
}
const RULES = {
    enabled: { fits: (value) => typeof value === 'boolean', words: 'true or false' },
    maxHooksPerEvent: wholeNumber(0),
    maxTotalHooks: wholeNumber(0),
    defaultTimeout: wholeNumber(1),
    failBehavior: oneOf(FAIL_BEHAVIORS),
    auditLevel: oneOf(AUDIT_LEVELS),
};
function wholeNumber(least) {
    return {
        fits: (value) => typeof value === 'number' && Number.isInteger(value) && value >= least,
        words: `a whole number of at least ${least}`,
    };
}
function oneOf(words) {
    return {
        fits: (value) => words.includes(value),
        words: words.map((word) => `"${word}"`).join(' or '),
    };
}
