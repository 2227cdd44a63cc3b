/** Approvers who answer with a passkey: the challenge is the digest of exactly the answer, so it signs nothing else. */

import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { CrosshookError, messageOf } from '../../spec/errors.ts'
import type { OpenChannel } from '../channel.ts'
import { passkeyChallenge, passkeyParty } from '../passkeys.ts'
import { checkRecent, parseSigned } from '../signed-answer.ts'
import { proofOf } from '../who.ts'

export const open: OpenChannel = ({ settings, local, namesOf }) => ({
  tell: async () => {},
  async receive({ body }) {
    const { answer, proof } = parseSigned(body, 'response', 'object')
    const response = proof as AuthenticationResponseJSON
    const approver = settings.approvers?.find(({ name }) => name === answer.by)
    const passkey = approver?.passkey
    if (passkey === undefined)
      throw refused(`there is no approver "${answer.by}" with a passkey in the settings`)
    checkRecent(answer)
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    const [id = '', publicKey = ''] = passkey.split('.')
    let verified = false
    try {
      const result = await verifyAuthenticationResponse({
        response,
        expectedChallenge: passkeyChallenge(answer),
        ...passkeyParty(settings, local?.()),
        // Counters are ignored, because not all authenticators have one: an answer works only once anyway.
        credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
        requireUserVerification: true,
      })
      verified = result.verified
    } catch (error) {
      throw refused(`the passkey's answer does not count: ${messageOf(error)}`)
    }
    if (!verified) throw refused(`the signature is not that of ${answer.by} over this answer`)
    const { id: question, decision, digest, words, scope, by } = answer
    const signature = `passkey:${response.response.signature}`
    const names = await namesOf(by)
    const shown = proofOf(approver!, 'passkey')
    const given = { decision, digest, words, scope, by, names, proof: shown, via: 'passkey', signature }
    return { id: question, given }
  },
})

function refused(message: string): CrosshookError {
  return new CrosshookError('refused', message, {
    fix: 'Name the passkey in [[approvals.approvers]], and answer within five minutes, on http://localhost or the host of `public_url`.',
  })
}
