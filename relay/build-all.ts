/**
 * `npm run build:relay`: the relay for every platform, each in the npm package that npm picks for it (as optional
 * dependency, so that one that does not fit is left out). Cross-compiled by `zig cc`: set ZIG, or `pip install ziglang`.
 */

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FLAGS } from './build.ts'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..')

/** Windows has no Unix sockets that Node can listen on: agents call the cold path there. */
const TARGETS = [
  { os: 'linux', cpu: 'x64', target: 'x86_64-linux-musl' },
  { os: 'linux', cpu: 'arm64', target: 'aarch64-linux-musl' },
  { os: 'darwin', cpu: 'x64', target: 'x86_64-macos' },
  { os: 'darwin', cpu: 'arm64', target: 'aarch64-macos' },
] as const

const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string
  license: string
}

const zig = process.env.ZIG ? [process.env.ZIG] : ['python3', '-m', 'ziglang']
for (const { os, cpu, target } of TARGETS) {
  const name = `relay-${os}-${cpu}`
  const folder = join(root, 'dist.packages', name)
  const file = join(folder, 'bin/crosshook-relay')
  mkdirSync(dirname(file), { recursive: true })
  const args = [...zig.slice(1), 'cc', '-target', target, ...FLAGS, '-s', '-o', file, join(here, 'relay.c')]
  const { status, error } = spawnSync(zig[0]!, args, { stdio: 'inherit' })
  if (error || status !== 0)
    throw new Error(`${name} was not built: ${error?.message ?? `zig ended with ${status}`}`)
  chmodSync(file, 0o755)
  const manifest = {
    name: `@crosshook/${name}`,
    version,
    description: `The native client of crosshook for ${os} ${cpu}.`,
    license,
    os: [os],
    cpu: [cpu],
    files: ['bin'],
    preferUnplugged: true,
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  console.log(`${name}: ${file}`)
}
