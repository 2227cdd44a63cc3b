/** Where the stranger lives: a root without this checkout, Nodes of several versions, two registries. */

import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { TARGETS } from '../../relay/targets.ts'
import { packMain, packRelay, publishedManifest, relayManifest } from '../../tools/packages.ts'
import { installed, NODE } from './agents/files.ts'
import { isolation } from './isolation.ts'
import { ownRegistry, type Package } from './stranger-registry.ts'

const ROOT = join(import.meta.dirname, '../..')
const SCRATCH = join(homedir(), '.cache')
const own = { os: process.platform, cpu: process.arch } as (typeof TARGETS)[number]

export interface Registries {
  /** Addresses of one with this version, and of one with the next. */
  first: string
  next: string
  /** The version there. */
  later: string
  close(): Promise<void>
}

/** Fetches what comes from the network, then runs the script again where there is none. Its exit code. */
export function outside(script: string, variants: readonly string[]): number {
  if (!existsSync(installed('.'))) {
    console.error('The agents are not installed: npm run test:agents does it.')
    return 1
  }
  mkdirSync(SCRATCH, { recursive: true })
  const base = realpathSync(mkdtempSync(join(SCRATCH, 'stranger-')))
  try {
    for (const variant of variants) fetchNode(variant, base)
    mkdirSync(join(base, 'agents'))
    const { prefix, note } = isolation()
    if (note) console.log(note)
    const [program = '', ...args] = [...prefix, process.execPath, script, ...variants]
    const env = { ...process.env, STRANGER_BASE: base }
    return spawnSync(program, args, { env, stdio: 'inherit' }).status ?? 1
  } finally {
    rmSync(base, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The command in a root where this checkout is empty, and the agents' programs are elsewhere. */
export function inside(command: readonly string[]): string[] {
  const agents = join(process.env.STRANGER_BASE!, 'agents')
  const hide = 'mount --bind "$1" "$2" && mount -t tmpfs none "$3" && shift 3 && exec "$@"'
  const moved = command.map((word) => (word === NODE ? 'node' : word.replace(installed('.'), agents)))
  return ['unshare', '--mount', 'sh', '-c', hide, 'sh', installed('.'), agents, ROOT, ...moved]
}

function fetchNode(variant: string, base: string): void {
  const prefix = prefixOf(variant, base)
  if (existsSync(prefix)) return
  const args = ['install', '--no-audit', '--no-fund', '--prefix', prefix, `node@${versionOf(variant)}`]
  execFileSync('npm', args, { stdio: 'ignore' })
}

/** The folder with `node`, `npm` and `npx`. */
export function nodeFor(variant: string, base: string): string {
  const folder = join(base, `node-${variant}`)
  mkdirSync(folder)
  cpSync(join(prefixOf(variant, base), 'node_modules/node/bin/node'), join(folder, 'node'))
  const npm = dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()))
  for (const name of ['npm', 'npx'])
    writeFileSync(
      join(folder, name),
      `#!/bin/sh\nexec '${join(folder, 'node')}' '${join(npm, `${name}-cli.js`)}' "$@"\n`,
      { mode: 0o755 },
    )
  return folder
}

function versionOf(variant: string): string {
  return /^\d+$/.test(variant) ? variant : '24'
}

function prefixOf(variant: string, base: string): string {
  return join(base, `prefix-${versionOf(variant)}`)
}

/** In the next version, the program and the relay say that they are of it. */
export async function openRegistries(base: string): Promise<Registries> {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Parameters<
    typeof publishedManifest
  >[0]
  const main = packMain(base)
  const relay = packRelay(own, join(ROOT, 'dist/relay/crosshook-relay'), base)
  const now = manifest.version
  const later = now.replace(/\d+$/, (patch) => String((Number(patch) + 1) % 10))
  const open = (version: string, files: { main: string; relay: string }) =>
    ownRegistry([
      { manifest: publishedManifest({ ...manifest, version }), file: files.main },
      ...TARGETS.map(
        (target): Package => ({
          manifest: { ...relayManifest(target), version },
          file: target.os === own.os && target.cpu === own.cpu ? files.relay : '',
        }),
      ),
    ])
  const renamed = (file: string) => renameVersion(file, now, later, base)
  const first = await open(now, { main, relay })
  const next = await open(later, { main: renamed(main), relay: renamed(relay) })
  return {
    first: first.url,
    next: next.url,
    later,
    async close() {
      await first.close()
      await next.close()
    },
  }
}

/** The same length, so that it may be done in a binary, too. */
function renameVersion(tarball: string, from: string, to: string, base: string): string {
  const folder = mkdtempSync(join(base, 'next-'))
  execFileSync('tar', ['-xzf', tarball, '-C', folder])
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !/\.cjs$|\.js$|package\.json$|crosshook-relay$/.test(entry.name)) continue
    const text = readFileSync(file, 'latin1')
    if (text.includes(from)) writeFileSync(file, text.replaceAll(from, to), 'latin1')
  }
  const out = join(folder, 'next.tgz')
  execFileSync('tar', ['-czf', out, '-C', folder, 'package'])
  return out
}
