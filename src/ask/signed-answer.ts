/**
 * An answer signed by a remote approver, with any kind of key: the signature covers every field that decides something.
 */

import { canonicalJson } from '../fast/digest.ts'
import { CrosshookError } from '../spec/errors.ts'
import { SCOPES } from './question.ts'

/** How long a signed answer is accepted. */
const TOLERANCE_MS = 300_000

export interface SignedAnswer {
  id: string
  decision: 'allow' | 'deny'
  digest: string
  words: string
  scope: (typeof SCOPES)[number]
  by: string
  /** ISO. */
  at: string
}

/** The text that is signed. */
export function signedText({ id, decision, digest, words, scope, by, at }: SignedAnswer): string {
  return canonicalJson({ id, decision, digest, words, scope, by, at })
}

export function checkRecent({ at }: SignedAnswer): void {
  if (!(Math.abs(Date.now() - Date.parse(at)) <= TOLERANCE_MS))
    throw new CrosshookError('refused', 'the answer was signed too long ago, or in the future', {
      fix: 'Answer again.',
    })
}

/** The answer, and the field that contains its proof. */
export function parseSigned(
  body: string,
  proof: string,
  type: 'string' | 'object',
): { answer: SignedAnswer; proof: unknown } {
  let given: Record<string, unknown> = {}
  try {
    given = JSON.parse(body) as Record<string, unknown>
  } catch {
    // reported below
  }
  const fields: Record<string, unknown> = { words: '', scope: 'once', ...given }
  const { id, decision, digest, words, scope, by, at } = fields
  if (
    ![id, digest, words, by, at].every((text) => typeof text === 'string') ||
    (decision !== 'allow' && decision !== 'deny') ||
    !SCOPES.includes(scope as never) ||
    typeof fields[proof] !== type ||
    fields[proof] === null
  )
    throw new CrosshookError('bad_input', `the answer lacks one of id, decision, digest, by, at, ${proof}`, {
      fix: 'See docs/approvals.md for what is sent.',
    })
  return { answer: { id, decision, digest, words, scope, by, at } as SignedAnswer, proof: fields[proof] }
}
