/** Makes an index of the archives in a folder, and keeps what the previous index said. */

import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Rotation } from '../sign/rotation.ts'
import { CrosshookError } from '../spec/errors.ts'
import { readBytes } from '../spec/read-file.ts'
import { versionRecord, withVersion } from './describe.ts'
import type { PackRecord } from './description.ts'
import { INDEX_FILE, type Index, readIndex } from './index-file.ts'
import { openPack } from './pack.ts'
import { readArchive } from './tar.ts'

const ARCHIVE = /\.(?:tar|tgz|tar\.gz)$/

export interface BuildOptions {
  name: string
  description?: string
  mirrors?: readonly string[]
  /** `acme/guards@1.2.0=reason` */
  yank?: readonly { name: string; version: string; reason: string }[]
  /** Keys that must no longer be trusted. */
  revoke?: readonly { key: string; reason: string }[]
  /** How the signing key replaced earlier ones. */
  rotations?: readonly Rotation[]
  now?: Date
  /** In days. */
  validFor?: number
}

export async function buildIndex(folder: string, options: BuildOptions): Promise<Index> {
  const { name, now = new Date(), validFor = 90 } = options
  const file = join(folder, INDEX_FILE)
  const before = existsSync(file) ? readIndex(readBytes(file)).index : undefined
  const packs: Record<string, PackRecord> = { ...before?.packs }
  for (const path of archivesIn(folder)) await addArchive(packs, folder, path, now)
  for (const { name: pack, version, reason } of options.yank ?? []) {
    const row = packs[pack]?.versions[version]
    if (!row) throw new CrosshookError('not_found', `there is no ${pack} ${version} in ${folder}`)
    packs[pack] = {
      ...packs[pack]!,
      versions: { ...packs[pack]!.versions, [version]: { ...row, yanked: reason } },
    }
  }
  const revoked = [
    ...(before?.revoked ?? []),
    ...(options.revoke ?? []).map((row) => ({ ...row, at: now.toISOString() })),
  ]
  const rotations = [
    ...((before?.rotations ?? []) as unknown as Rotation[]),
    ...(options.rotations ?? []),
  ].filter((link, at, all) => all.findIndex(({ signature }) => signature === link.signature) === at)
  const description = options.description ?? before?.description
  return {
    name,
    ...(description === undefined ? {} : { description }),
    serial: (before?.serial ?? 0) + 1,
    issued: now.toISOString(),
    expires: new Date(now.getTime() + validFor * 24 * 60 * 60 * 1000).toISOString(),
    ...(options.mirrors?.length
      ? { mirrors: [...options.mirrors] }
      : before?.mirrors
        ? { mirrors: before.mirrors }
        : {}),
    ...(revoked.length > 0 ? { revoked } : {}),
    ...(rotations.length > 0 ? { rotations: rotations as unknown as NonNullable<Index['rotations']> } : {}),
    packs,
  }
}

async function addArchive(
  packs: Record<string, PackRecord>,
  folder: string,
  path: string,
  now: Date,
): Promise<void> {
  const bytes = readBytes(join(folder, path))
  const pack = await openPack(readArchive(bytes, path), path)
  const { name, version } = pack.manifest ?? {}
  if (name === undefined || version === undefined)
    throw new CrosshookError('bad_source', `${path} has no PACK.md`, {
      fix: 'Make it with `crosshook publish`.',
    })
  const [error] = pack.problems.filter(({ level }) => level === 'error')
  if (error)
    throw new CrosshookError('invalid_hooks', `${path}: ${error.file}: ${error.message}`, { fix: error.fix })
  const known = packs[name]?.versions[version]
  if (known && known.content !== pack.content)
    throw new CrosshookError('refused', `${path}: ${name} ${version} has other bytes than before`, {
      fix: 'A version never changes. Publish the change as a new version.',
    })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const from = {
    type: 'archive' as const,
    url: path.split(sep).map(encodeURIComponent).join('/'),
    sha256,
    size: bytes.length,
  }
  const record = versionRecord(pack, from, known?.published ?? now.toISOString())
  packs[name] = withVersion(packs[name], pack, {
    ...record,
    ...(known?.yanked === undefined ? {} : { yanked: known.yanked }),
  })
  noteRenamed(packs, name, pack.manifest!.renamed_from ?? [])
}

/** A pack that says it had another name replaces it, if the same key signs both. */
function noteRenamed(packs: Record<string, PackRecord>, name: string, names: readonly string[]): void {
  for (const old of names) {
    const before = packs[old]
    if (before?.keys.some((key) => packs[name]!.keys.includes(key)))
      packs[old] = { ...before, renamed_to: name }
  }
}

function archivesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ARCHIVE.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}
