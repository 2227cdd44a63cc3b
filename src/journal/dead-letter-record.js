/** One hook that failed for good. */
import { readFileSync } from 'node:fs';
import { redactClipped, redactName } from '../redact/redact.ts';
import { uniqueHex } from './unique.ts';
const ERROR_LIMIT = 2048;
const FIELD_LIMIT = 512;
let lastAt = 0;
export function toRecord(letter) {
    // Two of one process never share a millisecond, so that their order is kept.
    lastAt = Math.max(Date.now(), lastAt + 1);
    const { invocation_digest, definition_digest } = letter;
    const digests = `${invocation_digest.slice(0, 8)}-${definition_digest.slice(0, 8)}`;
    return redactRecord({
        id: `hook-dlq-${lastAt}-${digests}-${uniqueHex(16)}`,
        at: new Date(lastAt).toISOString(),
        at_ms: lastAt,
        ...letter,
        contract_version: 1,
    });
}
/** Made of names and origins only: see `safeTarget`. */
const NAMES = new Set(['hook_name', 'target', 'event']);
const PLAIN = new Set(['id', 'at', 'invocation_digest', 'definition_digest']);
/** Also when records are read: those of older versions may hold what today's rules would take out. */
export function redactRecord(record) {
    return Object.fromEntries(Object.entries(record).map(([field, value]) => [
        field,
        typeof value === 'string' && !PLAIN.has(field)
            ? NAMES.has(field)
                ? redactName(value.slice(0, FIELD_LIMIT))
                : redactClipped(value, field === 'error' ? ERROR_LIMIT : FIELD_LIMIT)
            : value,
    ]));
}
export function fileName({ at_ms, hook_name, id }) {
    return `${at_ms}-${hook_name.replace(/[^A-Za-z0-9._-]+/g, '_').slice(0, 64)}-${id.slice(-16)}.json`;
}
/** Throws when the file is damaged. */
export function readRecord(path) {
    const value = JSON.parse(readFileSync(path, 'utf8'));
    const { id, at_ms, hook_name } = (value ?? {});
    if (typeof id !== 'string' || typeof at_ms !== 'number' || typeof hook_name !== 'string')
        throw new Error('it is not a dead letter: id, at_ms or hook_name is missing');
    return { ...value, at: new Date(at_ms).toISOString() };
}
