/** Restores the signed policy on this machine's disk: changed files are put back and reported. */

import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../config/write-whole.ts'
import { CrosshookError } from '../spec/errors.ts'
import { readBytes } from '../spec/read-file.ts'
import type { HubClient } from './hub-client.ts'
import type { PolicyState } from './policy-state.ts'
import { differences, unpack } from './wire/archive.ts'
import { digestOf } from './wire/policy-manifest.ts'

export function bundleFolder(fleet: string, digest: string): string {
  return join(fleet, 'bundles', digest)
}

/** Archive beside its folder: what the folder must contain. */
function archiveFile(fleet: string, digest: string): string {
  return `${bundleFolder(fleet, digest)}.archive`
}

/** Creates the folder atomically. */
export function putBundle(fleet: string, digest: string, bytes: Uint8Array): void {
  const folder = bundleFolder(fleet, digest)
  const temporary = `${folder}.${process.pid}.tmp`
  rmSync(temporary, { recursive: true, force: true })
  try {
    unpack(bytes, temporary)
    writeWhole(archiveFile(fleet, digest), Buffer.from(bytes), 0o644)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true }) // do not fill a full disk further
    throw error
  }
  rmSync(folder, { recursive: true, force: true })
  renameSync(temporary, folder)
}

/** Returns the number of changed, added or removed files. */
export async function mendPolicy(
  fleet: string,
  { enforced, shadow }: PolicyState,
  client: HubClient,
): Promise<number> {
  let changed = 0
  for (const part of [enforced, shadow]) {
    if (!part) continue
    const { digest } = part
    const bytes = kept(archiveFile(fleet, digest), digest) ?? (await fetchBundle(client, digest))
    const folder = bundleFolder(fleet, digest)
    const found = existsSync(folder) ? differences(bytes, folder) : 1
    if (found > 0 || !existsSync(archiveFile(fleet, digest))) putBundle(fleet, digest, bytes)
    changed += found
  }
  return changed
}

/** Undefined when it is gone or was changed as well. */
function kept(file: string, digest: string): Buffer | undefined {
  if (!existsSync(file)) return undefined
  const bytes = readBytes(file)
  return digestOf(bytes) === digest ? bytes : undefined
}

export async function fetchBundle(client: HubClient, digest: string): Promise<Buffer> {
  const bytes = await client.call('GET', `/fleet/bundles?digest=${digest}`)
  if (digestOf(bytes) === digest) return bytes
  throw new CrosshookError(
    'refused',
    'The hub offers a policy that is not taken: its archive is not the one that was signed.',
    { fix: 'Nothing was changed. Find out who runs this hub, and who told it to.' },
  )
}
