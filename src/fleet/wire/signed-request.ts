/** Requests of a machine to its hub: each is signed with the machine's own key, over everything that matters. */

import { createHash } from 'node:crypto'
import type { PublicKey, SigningKey } from '../../sign/keys.ts'
import { sign, verify } from '../../sign/signature.ts'

export interface EdgeName {
  tenant: string
  edge: string
}

export interface RequestToSign {
  method: string
  /** Path and query. */
  path: string
  body: Uint8Array
}

const SCHEME = 'Crosshook-Edge'
const FORM = /^Crosshook-Edge ([\w.-]{1,64})\/([\w.-]{1,64}):(\d{13}):([A-Za-z0-9_-]{86})$/
/** Largest clock difference. Requests are idempotent: repeating one within this time changes nothing. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000

export function authorize(
  key: SigningKey,
  { tenant, edge }: EdgeName,
  request: RequestToSign,
  now = Date.now(),
): string {
  return `${SCHEME} ${tenant}/${edge}:${now}:${sign(key, 'edge', message({ tenant, edge }, request, now))}`
}

export interface Claim extends EdgeName {
  at: number
  signature: string
}

/** Who the request claims to be from; not verified yet. */
export function claimOf(authorization: string | undefined): Claim | undefined {
  const [, tenant, edge, at, signature] = FORM.exec(authorization ?? '') ?? []
  return tenant && edge && at && signature ? { tenant, edge, at: Number(at), signature } : undefined
}

/** Why the claim is wrong; undefined when it is right. */
export function refuted(
  claim: Claim,
  key: PublicKey,
  request: RequestToSign,
  now = Date.now(),
): string | undefined {
  if (Math.abs(now - claim.at) > CLOCK_TOLERANCE_MS)
    return `the request was signed at ${new Date(claim.at).toISOString()}, and it is ${new Date(now).toISOString()} here: set the clock`
  return verify(key, 'edge', message(claim, request, claim.at), claim.signature)
    ? undefined
    : 'the signature does not fit the request'
}

function message({ tenant, edge }: EdgeName, { method, path, body }: RequestToSign, at: number): string {
  const digest = createHash('sha256').update(body).digest('hex')
  return [method, path, `${tenant}/${edge}`, at, digest].join('\n')
}
