/** Passkeys of approvers: where a browser may use them, what it signs, and how a new one is registered. */

import { createHash } from 'node:crypto'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { ApprovalSettings } from '../config/settings.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { SILENCE } from './question.ts'
import { type SignedAnswer, signedText } from './signed-answer.ts'
import { isNameless, LOCAL } from './who.ts'

/** The challenge for an answer, in base64url. */
export function passkeyChallenge(answer: SignedAnswer): string {
  return challenge(`crosshook answer\0${signedText(answer)}`)
}

/** The challenge for a new passkey: bound to the session of the page. */
export function registrationChallenge(csrf: string): string {
  return challenge(`crosshook passkey\0${csrf}`)
}

function challenge(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

export interface Party {
  expectedOrigin: string[]
  expectedRPID: string[]
}

/**
 * `public_url`, and this machine's own page by the name `localhost`: browsers have no passkeys for addresses of numbers.
 * With the port, since every program here may serve a page on another one.
 */
export function passkeyParty({ public_url }: ApprovalSettings, local: string | undefined): Party {
  const own = local === undefined ? [] : [local.replace(/\/\/[^/]*:(\d+)$/, '//localhost:$1')]
  const urls = [...(public_url === undefined ? [] : [public_url]), ...own].map((url) => new URL(url))
  return {
    expectedOrigin: urls.map(({ origin }) => origin),
    expectedRPID: urls.map(({ hostname }) => hostname),
  }
}

/** In the settings' form: credential and public key. Throws unless an authenticator made it for this session here. */
export async function newPasskey(
  response: unknown,
  expectedChallenge: string,
  party: Party,
): Promise<string> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge,
      ...party,
      requireUserVerification: true,
    })
    if (!verified || !registrationInfo) throw new Error('it is not signed')
    const { id, publicKey } = registrationInfo.credential
    return `${id}.${Buffer.from(publicKey).toString('base64url')}`
  } catch (error) {
    throw new CrosshookError('refused', `the passkey is not taken: ${messageOf(error)}`, {
      fix: 'Make it on this page again, under http://localhost or the host of `public_url`.',
    })
  }
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u

/** A person's name that is not taken and that no channel uses. */
export function checkApproverName(name: unknown, { approvers = [] }: ApprovalSettings): string {
  const fix = 'Use letters, digits, spaces, dots and hyphens, such as "alice".'
  if (typeof name !== 'string' || !NAME.test(name))
    throw new CrosshookError('bad_input', 'this cannot be the name of an approver', { fix })
  if ([LOCAL, SILENCE].includes(name) || isNameless(name))
    throw new CrosshookError('bad_input', `"${name}" means something else here`, { fix })
  if (approvers.some((each) => each.name === name))
    throw new CrosshookError('exists', `there is an approver "${name}" already`, {
      fix: 'Choose another name, or take the old one out of [[approvals.approvers]] in config.toml first.',
    })
  return name
}

export function approverLines(name: string, passkey: string): string {
  return `[[approvals.approvers]]\nname = ${JSON.stringify(name)}\npasskey = "${passkey}"\n`
}
