/** Removes the declarations that no entry point of the library leads to, and refuses those that need another package. */

import { globSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export function keepReachableTypes(folder: string, entries: readonly string[]): void {
  const reached = new Set<string>()
  const open = entries.map((entry) => join(folder, entry))
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue
    reached.add(file)
    const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
    for (const [, target] of text.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)) {
      if (target!.startsWith('.')) open.push(resolve(dirname(file), target!.replace(/\.[jt]s$/, '.d.ts')))
      else if (!target!.startsWith('node:'))
        throw new Error(`the library's types in ${file} need the package ${target}, which users do not have`)
    }
  }
  for (const name of globSync('**/*.d.ts', { cwd: folder }))
    if (!reached.has(join(folder, name))) rmSync(join(folder, name))
}
