/**
 * Packs in an npm registry, through the user's own `npm`: the tarball is fetched and read, none of its scripts runs.
 */

import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CrosshookError } from '../../spec/errors.ts'
import { readBytes } from '../../spec/read-file.ts'
import { readArchive } from '../tar.ts'
import { start } from './fetching-program.ts'
import { type Dist, npmProvenance } from './npm-provenance.ts'
import type { Fetched, Surroundings } from './pack-source.ts'

const REQUEST = /^npm:((?:@[\w.-]+\/)?[\w.-]+)(?:@([\w.^~+<>=* |-]+))?$/

export interface NpmRequest {
  name: string
  range: string
}

export function parseNpm(source: string): NpmRequest | undefined {
  const found = REQUEST.exec(source)
  if (!found || found[1]!.startsWith('-')) return undefined
  return { name: found[1]!, range: found[2] ?? 'latest' }
}

export async function fetchNpm(
  { name, range }: NpmRequest,
  around: Surroundings,
  expected?: { integrity?: string },
): Promise<Fetched> {
  const scratch = mkdtempSync(join(tmpdir(), 'crosshook-npm-'))
  try {
    around.progress?.(`fetching ${name} with npm`)
    const wanted = `${name}@${range}`
    // In a separate folder: a project's configuration may name another registry.
    const [dists] = await Promise.all([
      distsOf(wanted, name, around, scratch),
      npm(
        ['pack', '--ignore-scripts', '--silent', '--pack-destination', scratch, '--', wanted],
        name,
        around,
        scratch,
      ),
    ])
    const tarball = readdirSync(scratch).find((file) => file.endsWith('.tgz'))
    if (tarball === undefined) throw new CrosshookError('bad_source', `npm gave no package for ${name}`)
    const bytes = readBytes(join(scratch, tarball))
    const sha512 = createHash('sha512').update(bytes).digest()
    const integrity = `sha512-${sha512.toString('base64')}`
    if (expected?.integrity !== undefined && expected.integrity !== integrity)
      throw new CrosshookError('refused', `npm:${name}@${range} is not what it was: its bytes have changed`, {
        fix: 'Nothing was written. A version of a package never changes: ask whoever runs the registry.',
      })
    const files = readArchive(bytes, `npm:${name}`, { strip: 1 })
    const manifest = files.find(({ path }) => path === 'package.json')
    const { version } = JSON.parse(manifest?.bytes.toString('utf8') ?? '{}') as { version?: unknown }
    if (typeof version !== 'string') throw new CrosshookError('bad_source', `npm:${name} has no version`)
    const published = { name, version, sha512: sha512.toString('hex') }
    const proof = await npmProvenance(published, dists.get(version) ?? {}, around)
    return { files, version, origin: { type: 'npm', name, version, integrity }, ...proof }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Version → what the registry says about it. When it is unreachable, npm took the package from its cache. */
async function distsOf(
  wanted: string,
  name: string,
  around: Surroundings,
  scratch: string,
): Promise<Map<string, Dist>> {
  const rows = new Map<string, Dist>()
  let output: Buffer
  try {
    output = await npm(['view', '--json', '--', wanted, 'version', 'dist'], name, around, scratch)
  } catch (error) {
    if (!(error instanceof CrosshookError)) throw error
    return rows
  }
  const found = JSON.parse(output.toString('utf8') || '[]') as { version?: string; dist?: Dist }[]
  for (const { version, dist } of [found].flat()) if (version && dist) rows.set(version, dist)
  return rows
}

export interface NpmVersions {
  versions: string[]
  /** Version → when the registry took it. */
  time: Record<string, string>
  /** Version → why it should not be used. */
  deprecated?: string
}

export async function npmVersions(name: string, around: Surroundings): Promise<NpmVersions> {
  const scratch = mkdtempSync(join(tmpdir(), 'crosshook-npm-'))
  try {
    around.progress?.(`asking npm about ${name}`)
    const output = await npm(['view', '--json', '--', name, 'versions', 'time'], name, around, scratch)
    const found = JSON.parse(output.toString('utf8')) as {
      versions?: string | string[]
      time?: Record<string, string>
    }
    return { versions: [found.versions ?? []].flat(), time: found.time ?? {} }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function npm(args: readonly string[], name: string, { env }: Surroundings, cwd: string): Promise<Buffer> {
  return start({ program: 'npm', args, what: `npm:${name}`, env, cwd })
}
