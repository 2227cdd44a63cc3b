/** Requests of a machine to its hub: each is signed with the machine's own key, over everything that counts. */
import { createHash } from 'node:crypto';
import { sign, verify } from '../../sign/signature.ts';
const SCHEME = 'Crosshook-Edge';
const FORM = /^Crosshook-Edge ([\w.-]{1,64})\/([\w.-]{1,64}):(\d{13}):([A-Za-z0-9_-]{86})$/;
/** Clocks may differ by so much. Requests are idempotent, so that one that is sent again within this time changes nothing. */
export const CLOCK_TOLERANCE_MS = 5 * 60000;
export function authorize(key, { tenant, edge }, request, now = Date.now()) {
    return `${SCHEME} ${tenant}/${edge}:${now}:${sign(key, 'edge', message({ tenant, edge }, request, now))}`;
}
/** Who the request says that it is from; nothing is proven yet. */
export function claimOf(authorization) {
    const [, tenant, edge, at, signature] = FORM.exec(authorization ?? '') ?? [];
    return tenant && edge && at && signature ? { tenant, edge, at: Number(at), signature } : undefined;
}
/** Why the claim does not hold; undefined when it does. */
export function refuted(claim, key, request, now = Date.now()) {
    if (Math.abs(now - claim.at) > CLOCK_TOLERANCE_MS)
        return `the request was signed at ${new Date(claim.at).toISOString()}, and it is ${new Date(now).toISOString()} here: set the clock`;
    return verify(key, 'edge', message(claim, request, claim.at), claim.signature)
        ? undefined
        : 'the signature does not fit the request';
}
function message({ tenant, edge }, { method, path, body }, at) {
    const digest = createHash('sha256').update(body).digest('hex');
    return [method, path, `${tenant}/${edge}`, at, digest].join('\n');
}
