/** What a program that imports crosshook carries, minified: size is a promise, and this is its gate. */

import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

async function bundled(code: string): Promise<number> {
  const { metafile } = await build({
    stdin: { contents: code, resolveDir: root, loader: 'ts', sourcefile: 'program.ts' },
    bundle: true,
    minify: true,
    splitting: true,
    metafile: true,
    write: false,
    format: 'esm',
    platform: 'node',
    outdir: 'out',
    alias: {
      crosshook: join(root, 'dist/lib/index.js'),
      'crosshook/client': join(root, 'dist/lib/client.js'),
    },
  })
  // What is loaded at the start, with everything that it imports there; the rest comes when it is needed.
  const entry = Object.keys(metafile.outputs).find(
    (path) => metafile.outputs[path]!.entryPoint === 'program.ts',
  )!
  const seen = new Set([entry])
  for (const path of seen)
    for (const { path: next, kind } of metafile.outputs[path]!.imports)
      if (kind === 'import-statement' && Object.hasOwn(metafile.outputs, next)) seen.add(next)
  return [...seen].reduce((sum, path) => sum + metafile.outputs[path]!.bytes, 0)
}

it.each([
  ['createHooks', `import { createHooks } from 'crosshook'; createHooks()`, 60_000],
  ['crosshook/client', `import { CrosshookClient } from 'crosshook/client'; new CrosshookClient()`, 150_000],
])('%s is at most so large', async (_, code, most) => expect(await bundled(code)).toBeLessThanOrEqual(most))
