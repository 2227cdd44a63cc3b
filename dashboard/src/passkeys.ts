/** Passkeys of approvers in this browser: a new one, and an answer that one signs. */

import { signal } from '@preact/signals'
import { get, post, sessionToken } from './api.ts'

export interface PasskeyApprover {
  name: string
  credential: string
}

export const passkeyApprovers = signal<PasskeyApprover[]>([])

/** Browsers allow passkeys for host names, not for IP addresses. */
export const hasPasskeys = 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname)

export async function loadPasskeys(): Promise<void> {
  passkeyApprovers.value = (await get<{ approvers: PasskeyApprover[] }>('/v1/approvals/passkeys')).approvers
}

export async function registerPasskey(name: string): Promise<void> {
  const made = (await navigator.credentials.create({
    publicKey: {
      rp: { id: location.hostname, name: 'crosshook' },
      user: { id: crypto.getRandomValues(new Uint8Array(16)), name, displayName: name },
      challenge: await digest(`crosshook passkey\0${await sessionToken()}`),
      // Ed25519, ECDSA on P-256, RSA.
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { userVerification: 'required' },
      attestation: 'none',
    },
  })) as PublicKeyCredential
  await post('/v1/approvals/passkeys', { name, response: made.toJSON() })
  await loadPasskeys()
}

export interface Answered {
  id: string
  decision: 'allow' | 'deny'
  digest: string
  words: string
  scope: string
}

/** The challenge is the digest of exactly this answer: see src/ask/passkeys.ts. */
export async function answerWithPasskey(
  given: Answered,
  { name, credential }: PasskeyApprover,
): Promise<void> {
  const { id, decision, digest: about, words, scope } = given
  // In alphabetical order, as in the text that is signed.
  const answer = { at: new Date().toISOString(), by: name, decision, digest: about, id, scope, words }
  const proof = (await navigator.credentials.get({
    publicKey: {
      rpId: location.hostname,
      challenge: await digest(`crosshook answer\0${JSON.stringify(answer)}`),
      allowCredentials: [{ type: 'public-key', id: bytesOf(credential) }],
      userVerification: 'required',
    },
  })) as PublicKeyCredential
  await post('/v1/approvals/answers/passkey', { ...answer, response: proof.toJSON() })
}

function digest(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (char) => char.charCodeAt(0))
}
