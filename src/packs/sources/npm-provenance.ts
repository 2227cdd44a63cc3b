/** Which workflow built an npm package, if its registry has proof. */

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { paths } from '../../config/paths.ts'
import type { Provenance } from '../../sign/provenance.ts'
import { CrosshookError, messageOf } from '../../spec/errors.ts'
import { readText } from '../../spec/read-file.ts'
import { get, isGone } from '../fetch-file.ts'
import type { Surroundings } from './pack-source.ts'

/** What a registry says about one version. */
export interface Dist {
  tarball?: unknown
  attestations?: { url?: unknown }
}

export interface PublishedAs {
  name: string
  version: string
  /** Of the archive, hexadecimal. */
  sha512: string
}

const MAX_BYTES = 4 * 1024 * 1024
const PROVENANCE = 'https://slsa.dev/provenance/'

/** A note when the registry names a provenance that it does not have. Throws when the provenance is invalid. */
export async function npmProvenance(
  { name, version, sha512 }: PublishedAs,
  { tarball, attestations }: Dist,
  around: Surroundings,
): Promise<{ provenance?: Provenance; notes?: string[] }> {
  const url = addressOf(attestations?.url, tarball)
  if (url === undefined) return {}
  around.progress?.(`asking who built ${name}`)
  let text: string
  try {
    text = (await get(url, { most: MAX_BYTES, env: around.env })).bytes.toString('utf8')
  } catch (error) {
    if (!isGone(error)) throw error
    return { notes: [`The registry names a provenance of ${name} ${version}, and does not have it.`] }
  }
  const bundle = bundleIn(text, name)
  if (bundle === undefined) return {}
  const subject = { name: `pkg:npm/${name.replace('@', '%40')}@${version}`, sha512 }
  const root = await trustedRoot(around.env)
  const { verifyProvenance } = await import('../../sign/provenance.ts')
  try {
    return { provenance: verifyProvenance(bundle, root, subject) }
  } catch (error) {
    if (!(error instanceof CrosshookError)) throw error
    throw new CrosshookError(error.code, `npm:${name}@${version}: ${error.message}`, { fix: error.fix })
  }
}

/** On the archive's host: a mirror passes on what the original registry said, with its URL. */
function addressOf(url: unknown, tarball: unknown): string | undefined {
  if (typeof url !== 'string' || typeof tarball !== 'string') return undefined
  if (!URL.canParse(url) || !URL.canParse(tarball)) return undefined
  return new URL(new URL(url).pathname, tarball).href
}

function bundleIn(text: string, name: string): unknown {
  try {
    const { attestations } = JSON.parse(text) as {
      attestations: { predicateType?: unknown; bundle?: unknown }[]
    }
    // The other attestation says that the registry accepted the package: it is not about the build.
    return attestations.find(({ predicateType }) => String(predicateType).startsWith(PROVENANCE))?.bundle
  } catch (error) {
    throw new CrosshookError(
      'bad_source',
      `what the registry says about the build of ${name} cannot be read: ${messageOf(error)}`,
    )
  }
}

/** `sigstore-root.json` beside the settings, managed ones first: for new Sigstore keys, and for one's own Sigstore. */
async function trustedRoot(env: NodeJS.ProcessEnv): Promise<unknown> {
  const { settings, managedSettings } = paths(env)
  const file = [managedSettings, settings]
    .map((each) => join(dirname(each), 'sigstore-root.json'))
    .find((each) => existsSync(each))
  if (file === undefined) return (await import('../../sign/sigstore-root.ts')).SIGSTORE_ROOT
  try {
    return JSON.parse(readText(file))
  } catch (error) {
    throw new CrosshookError('bad_settings', `${file} cannot be read: ${messageOf(error)}`)
  }
}
