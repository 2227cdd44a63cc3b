/** The law of the house: who may import whom, and who may name what. */

import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EVENT_NAMES } from '../src/spec/event.ts'

const root = resolve(import.meta.dirname, '..')
const sources = globSync('src/**/*.ts', { cwd: root }).filter(
  (file) => !/\.test\.ts$|\/fixtures\/|testing\.ts$|\/gen\//.test(file),
)
const text = (file: string) => readFileSync(join(root, file), 'utf8')

/** The first folder below src, or the file itself. */
const part = (file: string) => file.split('/')[1]!

/** May code of the first import from the second? Everything may import spec and itself, and all but spec may import fast. */
const ARROWS: Record<string, readonly string[]> = {
  spec: [],
  fast: [],
  engine: ['acts', 'redact'],
  executors: [],
  dialects: [],
  redact: [],
  acts: ['redact'],
  journal: ['redact'],
  config: ['dialects', 'engine', 'executors', 'version.ts'],
  pipeline: ['config', 'dialects', 'engine', 'executors', 'journal', 'redact'],
}

function imports(file: string): string[] {
  return [...text(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((found) =>
    relative(root, resolve(root, dirname(file), found[1]!)),
  )
}

describe('the arrows', () => {
  it('point inward', () => {
    const wrong: string[] = []
    for (const file of sources) {
      const from = part(file)
      const allowed = ARROWS[from]
      if (!allowed) continue
      for (const target of imports(file)) {
        const to = part(target)
        const isShared = to === 'spec' || (to === 'fast' && from !== 'spec')
        if (to !== from && !isShared && !allowed.includes(to)) wrong.push(`${file} imports ${target}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('never lead from one dialect to another', () => {
    const wrong: string[] = []
    for (const file of sources.filter((each) => /^src\/dialects\/[^/]+\//.test(each))) {
      const own = file.split('/')[2]!
      for (const target of imports(file)) {
        const other = /^src\/dialects\/([^/]+)\//.exec(target)?.[1]
        if (other && other !== own && other !== 'lib') wrong.push(`${file} imports ${target}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

describe('the environment', () => {
  // A door reads it once and passes it on: whatever an event meets must see that event's own environment.
  it('of the process is touched in one file', () => {
    const wrong = sources.filter(
      (file) =>
        file !== 'src/host/environment.ts' &&
        // A program of its own, started with the environment of the hook whose output it keeps.
        file !== 'src/pipeline/run/filter-output.ts' &&
        /process\.env\b|process\[/.test(withoutTexts(text(file))),
    )
    expect(wrong).toEqual([])
  })

  it('is asked for by doors only', () => {
    const wrong = sources.filter(
      (file) =>
        !['cli', 'host', 'install', 'sdk', 'testing'].includes(part(file)) &&
        imports(file).includes('src/host/environment.ts'),
    )
    expect(wrong).toEqual([])
  })
})

/** The only places that say which dialect there is, and which one plays a part beyond its own hooks. */
const PARTS = new Set([
  'src/dialects/list.ts',
  // Whose words programs register hooks in.
  'src/dialects/registry-programs.ts',
  // Whose settings the daemon's API takes, and where they are kept.
  'src/dialects/registry-settings.ts',
  'src/dialects/registry-stored.ts',
])

describe('names', () => {
  const folder = join(root, 'src/dialects')
  const ids = readdirSync(folder).filter((id) => existsSync(join(folder, id, 'index.ts')))
  const quoted = (name: string) => new RegExp(`['"\`/]${name}['"\`/]`)

  it('of events are not in the engine', () => {
    const wrong = sources
      .filter((file) => part(file) === 'engine')
      .flatMap((file) =>
        EVENT_NAMES.filter((event) => new RegExp(`['"\`]${event}['"\`]`).test(text(file))).map(
          (event) => `${file} names ${event}`,
        ),
      )
    expect(wrong).toEqual([])
  })

  it('of an agent or format are only in its own folder', () => {
    const wrong: string[] = []
    for (const file of sources) {
      if (PARTS.has(file)) continue
      for (const id of ids) {
        if (file.startsWith(`src/dialects/${id}/`)) continue
        if (quoted(id).test(stripComments(text(file)))) wrong.push(`${file} names ${id}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

function stripComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')
}

/** Without comments and without what stands in quotes. */
function withoutTexts(code: string): string {
  return stripComments(code).replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
}
