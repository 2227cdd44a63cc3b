/** Packs from the web: an archive that an index names, or a folder with a pack.json. */

import { createHash } from 'node:crypto'
import { CrosshookError, messageOf } from '../../spec/errors.ts'
import { chooseVersion, type PackRecord, type Place, recordSchema } from '../description.ts'
import { get } from '../fetch-file.ts'
import { readArchive } from '../tar.ts'
import type { Fetched, Surroundings } from './pack-source.ts'

export const RECORD_FILE = 'pack.json'
const MAX_RECORD_BYTES = 4 * 1024 * 1024
const MAX_ARCHIVE_BYTES = 32 * 1024 * 1024

export interface WebRequest {
  url: string
  range?: string
}

/** `https://HOST/FOLDER/[#RANGE]`, with a slash at its end, or the address of an archive. */
export function parseWeb(source: string): WebRequest | undefined {
  const found = /^(https?:\/\/[^#]*(?:\/|\.tar|\.tgz|\.tar\.gz))(?:#(.+))?$/.exec(source)
  return found ? { url: found[1]!, ...(found[2] === undefined ? {} : { range: found[2] }) } : undefined
}

interface Access {
  token?: string | undefined
  ca?: string | undefined
}

export async function readRecord(
  url: string,
  around: Surroundings,
  access: Access = {},
): Promise<PackRecord> {
  const { bytes } = await get(new URL(RECORD_FILE, url).href, {
    most: MAX_RECORD_BYTES,
    env: around.env,
    ...access,
  })
  try {
    return recordSchema.parse(JSON.parse(bytes.toString('utf8')))
  } catch (error) {
    throw new CrosshookError(
      'bad_source',
      `${url}${RECORD_FILE} does not describe a pack: ${messageOf(error).slice(0, 200)}`,
      {
        cause: error,
      },
    )
  }
}

export async function fetchWeb({ url, range }: WebRequest, around: Surroundings): Promise<Fetched> {
  around.progress?.(`fetching ${url}`)
  if (!url.endsWith('/')) return fetchArchive([url], around)
  const record = await readRecord(url, around)
  const version = chooseVersion(record, range)
  const { from, published, yanked } = record.versions[version]!
  if (from.type !== 'archive')
    throw new CrosshookError('bad_source', `${url}: version ${version} is not an archive`)
  if (yanked !== undefined) throw isYanked(record.name, version, yanked)
  const found = await fetchArchive([new URL(from.url, url).href], around, { expected: from })
  return { ...found, published }
}

/** From the first address that gives the right bytes. */
export async function fetchArchive(
  urls: readonly string[],
  around: Surroundings,
  {
    expected,
    access = {},
  }: {
    expected?: Pick<Extract<Place, { type: 'archive' }>, 'sha256'> & { size?: number }
    access?: Access
  } = {},
): Promise<Fetched> {
  let first: unknown
  for (const [at, url] of urls.entries())
    try {
      const { bytes } = await get(url, {
        most: expected?.size ?? MAX_ARCHIVE_BYTES,
        env: around.env,
        ...(at === 0 ? access : { ca: access.ca }),
      })
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      if (
        expected &&
        (sha256 !== expected.sha256 || (expected.size !== undefined && bytes.length !== expected.size))
      )
        throw new CrosshookError(
          'refused',
          `${url} has other bytes than it should: ${bytes.length} of them, SHA-256 ${sha256}`,
          {
            fix: 'Nothing was written. It was changed after it was listed, or on its way.',
          },
        )
      const strip = /\.tgz$|\.tar\.gz$/.test(new URL(url).pathname) ? topFolder(bytes, url) : 0
      return { files: readArchive(bytes, url, { strip }), origin: { type: 'web', url, sha256 } }
    } catch (error) {
      first ??= error
    }
  throw first
}

/** Archives of npm and of forges have everything in one folder. */
function topFolder(bytes: Buffer, url: string): number {
  const paths = readArchive(bytes, url).map(({ path }) => path)
  const tops = new Set(paths.map((path) => path.split('/')[0]))
  return tops.size === 1 &&
    paths.every((path) => path.includes('/')) &&
    !paths.some((path) => /^[^/]+\/HOOK\.md$/.test(path) && paths.length === 1)
    ? 1
    : 0
}

export function isYanked(name: string, version: string, why: string): CrosshookError {
  return new CrosshookError('refused', `${name} ${version} was yanked: ${why}`, {
    fix: `Take another version: crosshook info ${name} lists them.`,
  })
}
