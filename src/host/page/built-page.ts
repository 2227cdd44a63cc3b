/** A built page (in `dist`), read once and kept in memory, also compressed. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { CrosshookError } from '../../spec/errors.ts'

export interface PageFile {
  type: string
  bytes: Buffer
  gzip: Buffer
}

export interface PageFiles {
  /** What the document loads: one script, one style sheet. */
  script: string
  style: string
  /** By name, such as `main-4F2A.js`. */
  get(name: string): PageFile | undefined
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** `page` is that of a machine, `hub-page` that of a hub. */
export function readPageFiles(name: 'page' | 'hub-page' = 'page'): PageFiles {
  const folder = pageFolder(name)
  const files = new Map(
    readdirSync(folder).flatMap((name): [string, PageFile][] => {
      const type = TYPES[extname(name)]
      if (type === undefined) return []
      const bytes = readFileSync(join(folder, name))
      return [[name, { type, bytes, gzip: gzipSync(bytes, { level: 9 }) }]]
    }),
  )
  const named = (pattern: RegExp) => [...files.keys()].find((name) => pattern.test(name))
  const script = named(/^main-\w+\.js$/)
  const style = named(/^style-\w+\.css$/)
  if (script === undefined || style === undefined) throw missing(folder)
  return { script, style, get: (name) => files.get(name) }
}

/** Beside the package's package.json, both in a checkout and installed. */
function pageFolder(name: string): string {
  const here = fileURLToPath(import.meta.url)
  for (let folder = dirname(here); folder !== dirname(folder); folder = dirname(folder)) {
    const page = join(folder, 'dist', name)
    if (existsSync(join(folder, 'package.json')) && existsSync(page)) return page
  }
  throw missing(`dist/${name}`)
}

function missing(folder: string): CrosshookError {
  return new CrosshookError('not_found', `the page is missing from this installation (${folder})`, {
    fix: 'Install crosshook again; in a checkout, run `npm run build`.',
  })
}
