/** Builds a page of `dashboard/` into files that are served: one script for the first view, one for each other, one style sheet. */

import { copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build } from 'esbuild'

const source = join(dirname(fileURLToPath(import.meta.url)), '../dashboard/src')

/** The folder of `main.tsx` and `style.css`: that of a machine's page, or `hub`. Comes back with the files that went into it. */
export async function buildPage(outdir: string, folder = '.'): Promise<string[]> {
  mkdirSync(outdir, { recursive: true })
  const common: BuildOptions = {
    bundle: true,
    minify: true,
    outdir,
    target: ['chrome120', 'firefox121', 'safari17'],
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    entryNames: '[name]-[hash]',
  }
  const [scripts, styles] = await Promise.all([
    build({
      ...common,
      entryPoints: [join(source, folder, 'main.tsx')],
      format: 'esm',
      splitting: true,
      chunkNames: '[name]-[hash]',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      // Libraries written for React run on Preact.
      alias: {
        react: 'preact/compat',
        'react-dom': 'preact/compat',
        'react/jsx-runtime': 'preact/jsx-runtime',
      },
      // A view that needs a library's style sheet imports it as text and gives it to `useSheet`.
      loader: { '.css': 'text' },
      define: { 'process.env.NODE_ENV': '"production"' },
    }),
    build({ ...common, entryPoints: [join(source, folder, 'style.css')] }),
  ])
  copyFileSync(join(source, 'icon.svg'), join(outdir, 'icon.svg'))
  return [...Object.keys(scripts.metafile!.inputs), ...Object.keys(styles.metafile!.inputs)]
}
