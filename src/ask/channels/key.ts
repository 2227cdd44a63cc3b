/** Remote approvers who answer with their own key: the signature covers exactly their answer. */

import { verify } from '../../sign/signature.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { OpenChannel } from '../channel.ts'
import { checkRecent, parseSigned, signedText } from '../signed-answer.ts'
import { proofOf } from '../who.ts'

export const open: OpenChannel = ({ settings, namesOf }) => ({
  // Approvers hear of questions by the other channels or the API.
  tell: async () => {},
  async receive({ body }) {
    const { answer, proof: signature } = parseSigned(body, 'signature', 'string')
    const approver = settings.approvers?.find(({ name }) => name === answer.by)
    const key = approver?.key
    if (key === undefined) throw refused(`there is no approver "${answer.by}" with a key in the settings`)
    checkRecent(answer)
    if (!verify(key, 'answer', signedText(answer), signature))
      throw refused(`the signature is not that of ${answer.by} over this answer`)
    const { id, decision, digest, words, scope, by } = answer
    const names = await namesOf(by)
    const proof = proofOf(approver!, 'key')
    const given = { decision, digest, words, scope, by, names, proof, via: 'key' }
    return { id, given: { ...given, signature: `ed25519:${signature}` } }
  },
})

function refused(message: string): CrosshookError {
  return new CrosshookError('refused', message, {
    fix: 'Answer with `crosshook approvals sign`, and a key that the settings name.',
  })
}
