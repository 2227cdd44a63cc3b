/** Whose signature counts: trust on first use with a pin, rotation signed by the old key, revocation. */

import { followRotations } from '../sign/rotation.ts'
import { parseSigner, type Signer } from '../sign/signer.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Pack } from './pack.ts'
import type { KeyRing } from './trusted-keys.ts'

export interface Verdict {
  /** Absent: unsigned. */
  signer?: Signer
  /** How the key is known. */
  how: 'pinned' | 'rotated' | 'trusted' | 'listed' | 'first' | 'unsigned'
  /** For the person, in a few words. */
  words: string
}

export interface Expectations {
  /** Keys that the index lists for this pack. */
  keys?: readonly Signer[]
  /** Keys that indexes have revoked. */
  revoked?: readonly { key: string; reason: string }[]
  /** The workflow that built it, proven elsewhere than in the pack. */
  builder?: Signer | undefined
  /** The key that the lock file names. */
  locked?: Signer | undefined
}

/** Throws when the pack must not be taken: a foreign or revoked key, or no signature where there was one. */
export function judge(
  pack: Pack,
  ring: KeyRing,
  { keys = [], revoked = [], builder, locked }: Expectations = {},
): Verdict {
  const name = pack.manifest?.name
  if (name === undefined)
    return { how: 'unsigned', words: 'unsigned: hooks without a PACK.md carry no signature' }
  const { signatures, rotations } = pack.signatures
  const signers = [...signatures.map(({ signer }) => signer), ...(builder === undefined ? [] : [builder])]
  const taken = (signer: Signer) => reasonAgainst(signer, ring, revoked)
  const good = signers.filter((signer) => taken(signer) === undefined)
  if (signers.length > 0 && good.length === 0)
    throw refused(
      name,
      `the ${parseSigner(signers[0]!).what} ${idOf(signers[0]!)} that signed it was revoked: ${taken(signers[0]!)}`,
    )
  const pinned = ring.pinned(name)?.signer ?? locked
  if (pinned !== undefined) {
    if (good.length === 0)
      throw refused(name, `it was signed by ${idOf(pinned)} before, and is not signed now`)
    if (good.includes(pinned))
      return { signer: pinned, how: 'pinned', words: `signed by ${idOf(pinned)}, as before` }
    const heir =
      taken(pinned) === undefined ? good.find((signer) => isHeir(pinned, signer, rotations)) : undefined
    if (heir !== undefined)
      return {
        signer: heir,
        how: 'rotated',
        words: `signed by ${idOf(heir)}, to whom ${idOf(pinned)} has handed over`,
      }
    throw refused(name, `it is signed by ${idOf(good[0]!)}, and was by ${idOf(pinned)} before`)
  }
  if (keys.length > 0) {
    const listed = good.find((signer) => keys.some((key) => key === signer || isHeir(key, signer, rotations)))
    if (listed === undefined)
      throw refused(
        name,
        good.length === 0
          ? 'it is not signed, and its index says that it is'
          : `it is signed by ${idOf(good[0]!)}, which its index does not name`,
      )
    return { signer: listed, how: 'listed', words: `signed by ${idOf(listed)}, whom the index names` }
  }
  const known = good.find((signer) => ring.of(signer)?.state === 'trusted')
  if (known !== undefined)
    return { signer: known, how: 'trusted', words: `signed by ${idOf(known)}, whom you trust` }
  const [first] = good
  return first === undefined
    ? { how: 'unsigned', words: 'UNSIGNED: nobody says that these are the bytes that its author published' }
    : {
        signer: first,
        how: 'first',
        words: `signed by ${idOf(first)}, seen here for the first time; from now on only this ${parseSigner(first).what} counts`,
      }
}

function isHeir(old: Signer, young: Signer, rotations: Pack['signatures']['rotations']): boolean {
  return followRotations(old, rotations, young)
}

/** Why nothing signed by this key may be taken; undefined when it may. */
export function reasonAgainst(
  signer: Signer,
  ring: KeyRing,
  revoked: NonNullable<Expectations['revoked']>,
): string | undefined {
  const record = ring.of(signer)
  if (record?.state === 'revoked') return record.note ?? 'by you'
  return revoked.find(({ key }) => key === signer)?.reason
}

function idOf(signer: Signer): string {
  return parseSigner(signer).id
}

function refused(name: string, why: string): CrosshookError {
  return new CrosshookError('refused', `${name} is refused: ${why}`, {
    fix: `Nothing was written. Ask its author; if the change is right: crosshook key trust KEY --pack ${name}`,
  })
}
