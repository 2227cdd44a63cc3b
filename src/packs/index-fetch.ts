/** Fetches an index and refuses forbidden changes: an older one, another key, other bytes for a version. */

import type { PublicKey } from '../sign/keys.ts'
import { followRotations, type Rotation } from '../sign/rotation.ts'
import { CrosshookError } from '../spec/errors.ts'
import { readText } from '../spec/read-file.ts'
import { latestOf } from './description.ts'
import { checkUrl, type Got, get } from './fetch-file.ts'
import { INDEX_FILE, type Index, MAX_INDEX_BYTES, readIndex, type SignedIndex } from './index-file.ts'
import { type KnownIndex, readLine, readTable, writeTables } from './index-tables.ts'
import type { Surroundings } from './sources/pack-source.ts'

export type AddIndex = Pick<KnownIndex, 'url' | 'mirrors'> &
  Partial<Pick<KnownIndex, 'token_env' | 'token_file' | 'ca'>> & {
    key?: PublicKey
    /** A person has accepted an unsigned index. */
    unsigned?: boolean
  }

export function accept(folder: string, known: KnownIndex, got: Got): KnownIndex {
  const read = readIndex(got.bytes)
  checkNext(known, read, folder)
  return keep(folder, read, known, got, known)
}

/** What an index must not do: change its name or key, go back, or change what it said about a version. */
export function checkNext(before: KnownIndex, { index, key, digest }: SignedIndex, folder: string): void {
  const refuse = (why: string) => {
    throw new CrosshookError('refused', `the index ${before.name} is refused: ${why}`, {
      fix: `What was known before stays in use. Ask whoever hosts it; to begin anew: crosshook index remove ${before.name}`,
    })
  }
  if (index.name !== before.name) refuse(`it calls itself ${index.name} now`)
  const rotations = (index.rotations ?? []) as unknown as Rotation[]
  if (before.key !== null && (key === null || !followRotations(before.key, rotations, key)))
    refuse(
      key === null
        ? 'it is not signed any more'
        : 'it is signed by another key, which the old one has not signed',
    )
  if (index.serial < before.serial) refuse(`it went back from number ${before.serial} to ${index.serial}`)
  if (index.serial === before.serial && digest !== before.digest)
    refuse(`there are two different ones with the number ${index.serial}`)
  for (const { name, line } of readTable(folder, before)) {
    const young = index.packs[name]
    const old = young ? readLine(folder, before, line) : undefined
    for (const [version, { content }] of Object.entries(old?.versions ?? {})) {
      const now = young?.versions[version]
      if (now && now.content !== content) refuse(`${name} ${version} has other bytes than before`)
    }
  }
}

export function keep(
  folder: string,
  { index, key, digest }: SignedIndex,
  wanted: Omit<AddIndex, 'key' | 'unsigned'>,
  got: Got,
  before: KnownIndex | undefined,
): KnownIndex {
  const { token_env, token_file, ca, url, mirrors } = wanted
  return {
    name: index.name,
    url,
    key,
    mirrors: [...new Set([...mirrors, ...(index.mirrors ?? [])])],
    ...(token_env === undefined ? {} : { token_env }),
    ...(token_file === undefined ? {} : { token_file }),
    ...(ca === undefined ? {} : { ca }),
    serial: index.serial,
    digest,
    issued: index.issued,
    ...(index.expires === undefined ? {} : { expires: index.expires }),
    fetched: new Date().toISOString(),
    ...(got.etag === undefined ? {} : { etag: got.etag }),
    // A revoked key stays revoked.
    revoked: [
      ...new Map(
        [...(before?.revoked ?? []), ...(index.revoked ?? [])].map((each) => [each.key, each]),
      ).values(),
    ],
    table: writeTables(folder, rowsOf(index)),
    packs: Object.keys(index.packs).length,
  }
}

/** From the address itself, else from its mirrors: the content is checked either way. */
export async function fetchIndex(
  { url, mirrors, token_env, token_file, ca }: Omit<AddIndex, 'key' | 'unsigned'>,
  around: Surroundings,
  etag?: string,
): Promise<{ got: Got }> {
  const token = tokenOf({ token_env, token_file }, around.env)
  let first: unknown
  for (const [at, base] of [url, ...mirrors].entries())
    try {
      around.progress?.(`asking ${base}`)
      const got = await get(new URL(INDEX_FILE, checkUrl(base.endsWith('/') ? base : `${base}/`)).href, {
        most: MAX_INDEX_BYTES,
        env: around.env,
        // A token is only for its own host.
        ...(at === 0 ? { token } : {}),
        ca,
        ...(at === 0 ? { etag } : {}),
      })
      if (at > 0 && got.status === 200) readIndex(got.bytes)
      return { got }
    } catch (error) {
      first ??= error
    }
  throw first
}

export function tokenOf(
  { token_env, token_file }: { token_env?: string | undefined; token_file?: string | undefined },
  env: NodeJS.ProcessEnv,
): string | undefined {
  const value =
    token_env !== undefined
      ? env[token_env]
      : token_file !== undefined
        ? readText(token_file).trim()
        : undefined
  if (token_env !== undefined && (value === undefined || value === ''))
    throw new CrosshookError('bad_settings', `the variable ${token_env}, which holds the token, is not set`, {
      fix: `Set ${token_env}, or add the index again with another --token-env.`,
    })
  if (value !== undefined && !/^[\u0021-\u007e]+$/.test(value))
    throw new CrosshookError('bad_settings', 'the token holds characters that no token has')
  return value
}

function rowsOf({ packs }: Index) {
  return Object.entries(packs).map(([name, record]) => {
    const version = latestOf(record) ?? ''
    const row = record.versions[version]
    return {
      name,
      record,
      version,
      isSigned: (row?.signers.length ?? 0) > 0,
      words: [...(record.keywords ?? []), ...(row?.acts ?? [])],
    }
  })
}
