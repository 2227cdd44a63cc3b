/** What an index says about one version of a pack, taken from the pack itself. */

import { loadAll } from 'js-yaml'
import type { Hook } from '../spec/hook.ts'
import type { PackRecord, Place, VersionRecord } from './description.ts'
import type { Pack } from './pack.ts'

export function versionRecord(pack: Pack, from: Place, published: string): VersionRecord {
  return {
    published,
    from,
    content: pack.content,
    signers: pack.signatures.signatures.map(({ signer }) => signer),
    hooks: pack.hooks.map(({ hook }) => hook.name).sort(),
    rights: Object.fromEntries(pack.hooks.map(({ hook, rights }) => [hook.name, rights])),
    acts: [...new Set(pack.hooks.flatMap(({ hook }) => actsOf(hook.matcher)))].sort(),
    agents: pack.manifest!.agents ?? [],
    cases: pack.hooks.reduce((sum, { files }) => sum + countCases(files), 0),
  }
}

/** The pack with one more version. Its name, description and licence are those of the newest. */
export function withVersion(before: PackRecord | undefined, pack: Pack, record: VersionRecord): PackRecord {
  const { name, version, description, license, homepage, keywords } = pack.manifest!
  return {
    name,
    description,
    license,
    ...(homepage === undefined ? {} : { homepage }),
    ...(keywords === undefined ? {} : { keywords }),
    keys: before?.keys.length ? before.keys : record.signers,
    ...(before?.renamed_to === undefined ? {} : { renamed_to: before.renamed_to }),
    versions: { ...before?.versions, [version]: record },
  }
}

/** The values of `does`, at any depth of the matcher. */
export function actsOf(matcher: Hook['matcher']): string[] {
  const found: string[] = []
  const walk = (value: unknown, key: string) => {
    if (key === 'does')
      found.push(
        ...[value]
          .flat()
          .map(String)
          .filter((act) => !act.startsWith('!')),
      )
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) walk(inner, name)
  }
  walk(matcher, '')
  return found
}

function countCases(files: readonly { path: string; bytes: Buffer }[]): number {
  const file = files.find(({ path }) => path === 'cases.yaml')
  if (!file) return 0
  try {
    const found = loadAll(file.bytes.toString('utf8')).flat()
    return found.length
  } catch {
    return 0 // `crosshook test` says what is wrong with it
  }
}
