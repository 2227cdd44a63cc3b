/** Approvers who answer with a passkey: the challenge is the digest of exactly the answer, so that it signs nothing else. */
import { createHash } from 'node:crypto';
import { CrosshookError, messageOf } from '../../spec/errors.ts';
import { checkRecent, parseSigned, signedText } from '../signed-answer.ts';
/** What a browser is given as the challenge, in base64url. */
export function passkeyChallenge(answer) {
    return createHash('sha256')
        .update(`crosshook answer\0${signedText(answer)}`)
        .digest('base64url');
}
export const open = ({ settings }) => ({
    tell: async () => { },
    async receive({ body }) {
        const { answer, proof } = parseSigned(body, 'response', 'object');
        const response = proof;
        const passkey = settings.approvers?.find(({ name }) => name === answer.by)?.passkey;
        const { public_url: url } = settings;
        if (passkey === undefined)
            throw refused(`there is no approver "${answer.by}" with a passkey in the settings`);
        if (url === undefined)
            throw refused('passkeys need `public_url` in [approvals]: they belong to its host name');
        checkRecent(answer);
        const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
        const [id = '', publicKey = ''] = passkey.split('.');
        const { origin, hostname } = new URL(url);
        let verified = false;
        try {
            const result = await verifyAuthenticationResponse({
                response,
                expectedChallenge: passkeyChallenge(answer),
                expectedOrigin: origin,
                expectedRPID: hostname,
                // Some authenticators count and some do not: an answer works once by itself.
                credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
                requireUserVerification: true,
            });
            verified = result.verified;
        }
        catch (error) {
            throw refused(`the passkey's answer does not count: ${messageOf(error)}`);
        }
        if (!verified)
            throw refused(`the signature is not that of ${answer.by} over this answer`);
        const { id: question, decision, digest, words, scope, by } = answer;
        const signature = `passkey:${response.response.signature}`;
        return { id: question, given: { decision, digest, words, scope, by, via: 'passkey', signature } };
    },
});
function refused(message) {
    return new CrosshookError('refused', message, {
        fix: 'Name the passkey in [[approvals.approvers]], and answer within five minutes on the host of `public_url`.',
    });
}
