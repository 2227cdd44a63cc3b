/** An answer that an approver signs elsewhere, whatever with: every field that decides something is under the signature. */
import { canonicalJson } from '../fast/digest.ts';
import { CrosshookError } from '../spec/errors.ts';
import { SCOPES } from './question.ts';
/** A signed answer is good so long, in milliseconds. */
const TOLERANCE_MS = 300000;
/** The text that is signed. */
export function signedText({ id, decision, digest, words, scope, by, at }) {
    return canonicalJson({ id, decision, digest, words, scope, by, at });
}
export function checkRecent({ at }) {
    if (!(Math.abs(Date.now() - Date.parse(at)) <= TOLERANCE_MS))
        throw new CrosshookError('refused', 'the answer was signed too long ago, or in the future', {
            fix: 'Answer again.',
        });
}
/** The answer, and the field in which its proof is. */
export function parseSigned(body, proof, type) {
    let given = {};
    try {
        given = JSON.parse(body);
    }
    catch {
        // said below
    }
    const fields = { words: '', scope: 'once', ...given };
    const { id, decision, digest, words, scope, by, at } = fields;
    if (![id, digest, words, by, at].every((text) => typeof text === 'string') ||
        (decision !== 'allow' && decision !== 'deny') ||
        !SCOPES.includes(scope) ||
        typeof fields[proof] !== type ||
        fields[proof] === null)
        throw new CrosshookError('bad_input', `the answer lacks one of id, decision, digest, by, at, ${proof}`, {
            fix: 'See docs/approvals.md for what is sent.',
        });
    return { answer: { id, decision, digest, words, scope, by, at }, proof: fields[proof] };
}
