/** Signatures of Standard Webhooks (https://www.standardwebhooks.com), both ways, with a shared secret. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { CrosshookError } from '../spec/errors.ts';
const PREFIX = 'whsec_';
/** A request older or newer than this is not taken, in seconds. */
const TOLERANCE_SECONDS = 300;
export function newWebhookSecret() {
    return `${PREFIX}${randomBytes(32).toString('base64')}`;
}
export function signedHeaders(secret, id, body, now = Date.now()) {
    const timestamp = String(Math.floor(now / 1000));
    return {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature(secret, id, timestamp, body)}`,
    };
}
/** Throws for whatever does not carry a good signature of just now. */
export function verifySigned(secret, { headers, body }, now = Date.now()) {
    const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': given = '', } = headers;
    if (!/^\d{1,12}$/.test(timestamp))
        throw wrong('it has no time');
    if (Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS)
        throw wrong('it is too old, or of the future');
    const right = Buffer.from(signature(secret, id, timestamp, body));
    const isGood = given.split(' ').some((each) => {
        const [version, text = ''] = each.split(',');
        const found = Buffer.from(text);
        return version === 'v1' && found.length === right.length && timingSafeEqual(found, right);
    });
    if (!isGood)
        throw wrong('its signature is not that of the shared secret over these bytes');
}
function signature(secret, id, timestamp, body) {
    const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
    return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
}
function wrong(why) {
    return new CrosshookError('refused', `the request is not taken: ${why}`, {
        fix: 'Sign it as Standard Webhooks describe, with the secret of `crosshook approvals key webhook`.',
    });
}
