/** Builds `dist/`: the library with its types by tsc, the command line as small bundles by esbuild. */

import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

rmSync(join(root, 'dist'), { recursive: true, force: true })
await build({
  entryPoints: { main: join(root, 'src/cli/main.ts') },
  outdir: join(root, 'dist/cli'),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  chunkNames: 'chunks/[name]-[hash]',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  // Packages written for require() find one here.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
})
execFileSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.build.json')],
  { stdio: 'inherit' },
)
if (existsSync(join(root, 'relay/build.ts'))) await import(join(root, 'relay/build.ts'))
