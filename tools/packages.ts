/** The packages as they are published: the main one, and one for each platform with its relay, which npm picks by itself. */

import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageOf, programOf, TARGETS, type Target } from '../relay/targets.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

type Manifest = Record<string, unknown> & { name: string; version: string; license: string }

const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest

/**
 * The relays are named only in what is published. In the repository's own package.json they would have to be in the
 * lock file, and `npm ci` would ask a registry for them before they are there.
 */
export function publishedManifest(manifest: Manifest): Manifest {
  const { workspaces: _, scripts: __, devDependencies: ___, allowScripts: ____, ...kept } = manifest
  const relays = TARGETS.map((target) => [`@crosshook/${packageOf(target)}`, manifest.version])
  return { ...kept, optionalDependencies: Object.fromEntries(relays) } as Manifest
}

export function relayManifest({ os, cpu }: Pick<Target, 'os' | 'cpu'>): Manifest {
  return {
    name: `@crosshook/${packageOf({ os, cpu })}`,
    version: own.version,
    description: `The relay of crosshook for ${os} ${cpu}: its native client.`,
    license: own.license,
    os: [os],
    cpu: [cpu],
    files: ['bin'],
    // Yarn would keep it inside an archive, where no agent can start it.
    preferUnplugged: true,
  }
}

/** The main package from what `npm pack` takes of this checkout. Returns the tarball. */
export function packMain(out: string): string {
  return inScratch((scratch) => {
    const raw = npmPack(root, scratch, own)
    execFileSync('tar', ['-xzf', raw, '-C', scratch])
    const folder = join(scratch, 'package')
    const manifest = publishedManifest(own)
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    return npmPack(folder, out, manifest)
  })
}

/** The package of one platform around its program. Returns the tarball. */
export function packRelay(target: Pick<Target, 'os' | 'cpu'>, program: string, out: string): string {
  return inScratch((scratch) => {
    const manifest = relayManifest(target)
    const file = join(scratch, 'bin', programOf(target.os))
    mkdirSync(dirname(file))
    copyFileSync(program, file)
    chmodSync(file, 0o755)
    for (const helper of target.os === 'linux' ? ['crosshook-confine', 'crosshook-gate'] : []) {
      copyFileSync(join(dirname(program), helper), join(scratch, 'bin', helper))
      chmodSync(join(scratch, 'bin', helper), 0o755)
    }
    copyFileSync(join(root, 'LICENSE'), join(scratch, 'LICENSE'))
    writeFileSync(join(scratch, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    writeFileSync(join(scratch, 'README.md'), `# ${manifest.name}\n\n${manifest.description}\n`)
    return npmPack(scratch, out, manifest)
  })
}

function npmPack(folder: string, out: string, { name, version }: Manifest): string {
  mkdirSync(out, { recursive: true })
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', out]
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  return join(out, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
}

function inScratch<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'crosshook-pack-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
