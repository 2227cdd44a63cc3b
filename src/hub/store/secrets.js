/** Secrets that people and machines show to the hub, of which it keeps only hashes. */
import { createHash, randomBytes } from 'node:crypto';
export function newSecret() {
    return randomBytes(24).toString('base64url');
}
/** Secrets are random and long: a plain hash is as good as a slow one. */
export function hashOf(secret) {
    return createHash('sha256').update(secret).digest('hex');
}
export function newId() {
    return randomBytes(9).toString('hex');
}
