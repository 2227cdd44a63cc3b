/** Approvers elsewhere who answer with their own key: the signature is over exactly what they answer. */

import { canonicalJson } from '../../fast/digest.ts'
import { verify } from '../../sign/signature.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { OpenChannel } from '../channel.ts'
import { SCOPES } from '../question.ts'

/** A signed answer is good so long, in milliseconds. */
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

/** The bytes that an approver signs, for the purpose `answer`. */
export function signedText({ id, decision, digest, words, scope, by, at }: SignedAnswer): string {
  return canonicalJson({ id, decision, digest, words, scope, by, at })
}

export const open: OpenChannel = ({ settings }) => ({
  // Approvers learn of questions by the other channels, or from the API.
  tell: async () => {},
  receive({ body }) {
    const { signature, ...answer } = parse(body)
    const key = settings.approvers?.find(({ name }) => name === answer.by)?.key
    if (key === undefined) throw refused(`there is no approver "${answer.by}" with a key in the settings`)
    if (Math.abs(Date.now() - Date.parse(answer.at)) > TOLERANCE_MS)
      throw refused('the answer was signed too long ago, or in the future')
    if (!verify(key, 'answer', signedText(answer), signature))
      throw refused(`the signature is not that of ${answer.by} over this answer`)
    const { id, decision, digest, words, scope, by } = answer
    return {
      id,
      given: { decision, digest, words, scope, by, via: 'key', signature: `ed25519:${signature}` },
    }
  },
})

function parse(body: string): SignedAnswer & { signature: string } {
  let fields: Record<string, unknown> = {}
  try {
    fields = JSON.parse(body) as Record<string, unknown>
  } catch {
    // said below
  }
  const { id, decision, digest, words = '', scope = 'once', by, at, signature } = fields
  const texts = [id, digest, words, by, at, signature]
  if (
    !texts.every((text) => typeof text === 'string') ||
    (decision !== 'allow' && decision !== 'deny') ||
    !SCOPES.includes(scope as never)
  )
    throw new CrosshookError('bad_input', 'the answer lacks one of id, decision, digest, by, at, signature', {
      fix: 'Make it with `crosshook approvals sign`.',
    })
  return fields as never
}

function refused(message: string): CrosshookError {
  return new CrosshookError('refused', message, {
    fix: 'Answer with `crosshook approvals sign`, and a key that the settings name.',
  })
}
