/** `npm run pack:release`: every package that a release publishes, as tarballs in `dist.release/`. */

import { rmSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageOf, programOf, TARGETS } from '../relay/targets.ts'
import { packMain, packRelay } from './packages.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const out = join(root, 'dist.release')

await import('./build.ts')
await import('../relay/build-all.ts')
rmSync(out, { recursive: true, force: true })
// The main package names the others, so it is published last.
const tarballs = TARGETS.map((target) =>
  packRelay(target, join(root, 'dist.packages', packageOf(target), 'bin', programOf(target.os)), out),
)
for (const tarball of [...tarballs, packMain(out)])
  console.log(`${relative(root, tarball)}: ${statSync(tarball).size} bytes`)
