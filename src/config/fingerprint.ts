/** Cheap proof that a file is the one we read: identity, size and change time. Contents cannot change without it. */

import { statSync } from 'node:fs'

/** Changes closer than this to the moment of reading could hide behind the clock's granularity. */
const RACY_MS = 60

export type Fingerprints = Record<string, string>

export function fingerprint(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.ino}:${stat.size}:${stat.ctimeNs}` : '-'
}

export function isCurrent(known: Fingerprints): boolean {
  for (const path in known) if (fingerprintOrNone(path) !== known[path]) return false
  return true
}

/** Could a change after reading have left the same fingerprint? */
export function isRacy(known: Fingerprints, now: number): boolean {
  return Object.values(known).some(
    (mark) => mark !== '-' && now - Number(BigInt(mark.split(':')[2]!) / 1_000_000n) < RACY_MS,
  )
}

function fingerprintOrNone(path: string): string {
  try {
    return fingerprint(path)
  } catch {
    // No right to look, or a file where a folder was: like everything that is not there.
    return '-'
  }
}
