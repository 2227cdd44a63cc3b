/** What a hook answers, in one vocabulary for every format. */
import { DECISIONS } from './effects.ts';
export { DECISIONS };
export function failure(message, more = {}) {
    return { failed: true, kind: 'failed', retryable: true, ...more, message };
}
export function isFailure(value) {
    return typeof value === 'object' && value !== null && value.failed === true;
}
export const STATUSES = ['allowed', 'blocked', 'failed', 'timed_out', 'skipped', 'background'];
export const SKIP_REASONS = [
    'no_match',
    'untrusted',
    'disabled',
    'invalid',
    'overridden',
    'short_circuit',
    'skipped_by_hook',
    'dry_run',
];
