/** An npm registry on the loopback: packages to be published, and what is installed in this checkout for the rest. */

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')

export interface Published {
  manifest: { name: string; version: string }
  /** Asked for only when npm wants to install it. */
  tarball: () => Buffer
}

export interface Registry {
  url: string
  /** Names of the packages whose tarballs were fetched. */
  fetched: Set<string>
  close(): void
}

export async function startRegistry(published: readonly Published[]): Promise<Registry> {
  const packages = Map.groupBy([...published, ...installed()], ({ manifest }) => manifest.name)
  const fetched = new Set<string>()
  const server = createServer(({ url }, response) => {
    const [name, version] = decodeURIComponent(url!.slice(1)).split('?')
    const versions = packages.get(name!) ?? []
    if (version !== undefined) {
      fetched.add(name!)
      response.end(versions.find(({ manifest }) => manifest.version === version)!.tarball())
    } else if (versions.length > 0) response.end(JSON.stringify(packument(versions, `${address()}/${name}`)))
    else response.writeHead(404).end('{}')
  })
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: address(), fetched, close: () => server.close() }
}

function packument(versions: readonly Published[], address: string): unknown {
  return {
    name: versions[0]!.manifest.name,
    'dist-tags': { latest: versions[0]!.manifest.version },
    versions: Object.fromEntries(
      versions.map(({ manifest }) => [
        manifest.version,
        { ...manifest, dist: { tarball: `${address}?${manifest.version}` } },
      ]),
    ),
  }
}

function installed(): Published[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: object }
  return Object.keys(lock.packages)
    .filter((path) => path.includes('node_modules/') && existsSync(join(root, path, 'package.json')))
    .map((path) => {
      const folder = join(root, path)
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Published['manifest']
      const args = ['-czf', '-', '--exclude', 'node_modules', '-C', dirname(folder), basename(folder)]
      return { manifest, tarball: () => execFileSync('tar', args, { maxBuffer: 2 ** 28 }) }
    })
}
