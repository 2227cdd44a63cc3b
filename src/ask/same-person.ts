/** One key is one person, whatever names the settings have for it. */

import { createHash } from 'node:crypto'
import type { Approver } from '../config/settings.ts'
import { keyNames, loadKey } from '../sign/key-files.ts'
import { publicBytes } from '../sign/keys.ts'
import { LOCAL } from './who.ts'

/** The names that share a key, passkey or account with this one, including itself; transitively. */
export async function namesOf(name: string, approvers: readonly Approver[] = []): Promise<string[]> {
  const all = await Promise.all(
    approvers.map(async (approver) => ({ name: approver.name, proofs: await proofsOf(approver) })),
  )
  const names = new Set([name])
  const proofs = new Set<string>()
  for (let before = -1; before < names.size + proofs.size; ) {
    before = names.size + proofs.size
    for (const each of all) {
      if (!names.has(each.name) && !each.proofs.some((proof) => proofs.has(proof))) continue
      names.add(each.name)
      for (const proof of each.proofs) proofs.add(proof)
    }
  }
  return [...names].sort()
}

/** Whoever can use this machine's keys is the person at it. */
export function atThisMachine(stateDir: string): Approver[] {
  return keyNames(stateDir).map((name) => ({ name: LOCAL, key: loadKey(stateDir, name)!.public }))
}

/** An approver's proofs, normalised. */
async function proofsOf({ key, passkey, slack }: Approver): Promise<string[]> {
  return [
    ...(key === undefined ? [] : [keyProof(key)]),
    ...(passkey === undefined ? [] : await passkeyProofs(passkey)),
    ...(slack === undefined ? [] : [`slack ${slack.trim().toUpperCase()}`]),
  ]
}

function keyProof(key: string): string {
  try {
    return material(publicBytes(key))
  } catch {
    return `text ${key}` // nobody can sign with it
  }
}

/** Numbers of COSE: x of elliptic curves, n of RSA. */
const X = -2
const N = -1

/** The credential and its key: a passkey copied to a second authenticator is still one person's. */
async function passkeyProofs(passkey: string): Promise<string[]> {
  const [id = '', publicKey = ''] = passkey.split('.')
  const credential = `credential ${Buffer.from(id, 'base64url').toString('hex')}`
  try {
    const { decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers')
    const fields = decodeCredentialPublicKey(
      new Uint8Array(Buffer.from(publicKey, 'base64url')),
    ) as unknown as ReadonlyMap<number, unknown>
    const found = [fields.get(X), fields.get(N)].find((value) => value instanceof Uint8Array)
    return found === undefined ? [credential] : [credential, material(found as Uint8Array)]
  } catch {
    return [credential] // no answer can be verified with such a key
  }
}

function material(bytes: Uint8Array): string {
  return `key ${createHash('sha256').update(bytes).digest('hex')}`
}
