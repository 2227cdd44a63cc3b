/** The licences of every package that is bundled into the program, as one text. */

import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `inputs` are the files that went into the bundles, as esbuild names them. */
export function licences(inputs: readonly string[], root: string): string {
  const folders = new Set<string>()
  for (const input of inputs) {
    const found = /^(?:[^:]+:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)
    if (found && existsSync(join(root, found[1]!, 'package.json'))) folders.add(found[1]!)
  }
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    ) as {
      name: string
      version: string
      license?: string
    }
    if (!license) throw new Error(`${name} ${version} names no licence: it cannot be bundled`)
    const files = globSync(join(root, folder, '{LICENSE,LICENCE,license,NOTICE}*'))
    const words = files.map((file) => readFileSync(file, 'utf8').trim())
    return [`${name} ${version} (${license})`, ...words].join('\n\n')
  })
  return `crosshook contains these packages.\n\n${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
