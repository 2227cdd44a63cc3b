/**
 * Documents name the tests that prove what they say. The run fails unless each of those tests ran in it and passed:
 * `docs/features.md` names them as `file — "name"`, the conformance lists in `covered_by`, the behaviours of `check:proof` in
 * `red`.
 * In a run of some files, only tests of those files are looked for.
 */

import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { load } from 'js-yaml'
import type { Reporter, TestModule } from 'vitest/node'
import { BEHAVIOURS } from '../tools/proof/behaviours.ts'
import { GUARDING } from '../tools/proof/guarding.ts'

const root = join(import.meta.dirname, '..')

interface Reference {
  /** Who names the test. */
  by: string
  file: string
  name: string
}

export class ProofReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const passed = new Map(modules.map((module) => [relative(root, module.moduleId), passedTests(module)]))
    const isWhole = process.env.npm_lifecycle_event === 'test'
    const missing = references().filter(({ file, name }) => {
      const names = passed.get(file)
      return names ? !names.some((each) => pattern(name).test(each)) : isWhole
    })
    if (missing.length === 0) return
    for (const { by, file, name } of missing) console.error(`${by}: no passed test "${name}" in ${file}`)
    process.exitCode = 1
  }
}

function passedTests(module: TestModule): string[] {
  return [...module.children.allTests('passed')].map(({ name }) => name)
}

/** `%s` and `${name}` of a table of tests stand for any text. */
function pattern(name: string): RegExp {
  const parts = name
    .split(/%[a-z]|\$\{\w+\}|\$\w+/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}

export function references(): Reference[] {
  const found: Reference[] = []
  const table = readFileSync(join(root, 'docs/features.md'), 'utf8')
  for (const [, number, cells] of table.matchAll(/^\| (\d+) \|(.*)\|$/gm))
    for (const [, file, name] of cells!.matchAll(/`([\w./-]+\.ts) — "([^`]+)"`/g))
      found.push({ by: `docs/features.md, row ${number}`, file: file!, name: name! })
  for (const list of globSync('test/conformance/*.yaml', { cwd: root })) {
    const cases = load(readFileSync(join(root, list), 'utf8')) as { id: string; covered_by?: string[] }[]
    for (const { id, covered_by = [] } of cases)
      for (const reference of covered_by) {
        // Tests of Python are run, by these names, in python/test.sh.
        if (reference.includes('.py::')) continue
        const [file, name] = reference.split(' — ') as [string, string]
        found.push({ by: `${list}, ${id}`, file, name })
      }
  }
  for (const { promise, red } of [...BEHAVIOURS, ...GUARDING])
    for (const reference of red) {
      // They need PostgreSQL, and are run by `npm run test:hub`.
      if (reference.startsWith('test/hub/')) continue
      const [file, name] = reference.split(' — ') as [string, string]
      found.push({ by: `tools/proof, ${promise}`, file, name })
    }
  return found
}
