/** `gallery/index.json`: the gallery as an index, so that `crosshook search` and `info` parse no HOOK.md. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { readSource } from '../src/config/load.ts'
import { actsOf } from '../src/packs/describe.ts'
import { rightsOf } from '../src/packs/rights.ts'

export async function galleryIndex(root: string): Promise<string> {
  const { hooks } = await readSource({ path: join(root, 'gallery') }, 'source')
  const rows = hooks.map((hook) => ({
    name: hook.name,
    description: hook.description ?? '',
    acts: [...new Set(actsOf(hook.matcher))].sort(),
    level: typeof hook.metadata?.level === 'string' ? hook.metadata.level : null,
    rights: rightsOf(hook),
    cases: casesIn(join(hook.origin.dir!, 'cases.yaml')),
  }))
  return `${JSON.stringify({ name: 'gallery', hooks: rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }, null, 2)}\n`
}

function casesIn(file: string): number {
  const found = existsSync(file) ? load(readFileSync(file, 'utf8')) : []
  return Array.isArray(found) ? found.length : 0
}
