/** The law of the house: who may import whom, and who may name what. */

import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EVENT_NAMES } from '../src/spec/event.ts'
import { replaces } from './replaces.ts'

const root = resolve(import.meta.dirname, '..')
const sources = globSync('src/**/*.ts', { cwd: root }).filter(
  (file) => !/\.test\.ts$|\/fixtures\/|testing\.ts$|\/gen\//.test(file),
)
const text = (file: string) => readFileSync(join(root, file), 'utf8')

/** The first folder below src, or the file itself. */
const part = (file: string) => file.split('/')[1]!

/** May code of the first import from the second? Everything may import spec and itself. From the inside out. */
const ARROWS: Record<string, readonly string[]> = {
  spec: [],
  // what every part uses
  fast: [],
  acts: ['redact', 'fast'],
  redact: ['fast'],
  'version.ts': [],
  sign: [],
  // parts, which do not know each other
  engine: ['acts', 'fast'],
  executors: ['fast'],
  dialects: ['fast'],
  journal: ['redact', 'fast'],
  config: ['dialects', 'engine', 'executors', 'fast', 'sign', 'version.ts'],
  // where they meet
  pipeline: ['config', 'dialects', 'engine', 'executors', 'fast', 'journal', 'redact'],
  cases: ['pipeline'],
  history: ['config', 'dialects', 'engine', 'fast', 'journal', 'pipeline', 'redact'],
  ask: ['acts', 'config', 'fast', 'journal', 'pipeline', 'redact', 'sign'],
  builder: ['cases', 'config', 'dialects', 'engine', 'fast', 'history', 'journal', 'pipeline', 'redact'],
  host: [
    'acts',
    'ask',
    'builder',
    'config',
    'dialects',
    'executors',
    'fast',
    'history',
    'journal',
    'packs',
    'pipeline',
    'redact',
    'version.ts',
  ],
  // The machines' side of a fleet, and what both sides speak; the server.
  fleet: ['ask', 'config', 'engine', 'journal', 'sign'],
  hub: ['ask', 'config', 'dialects', 'fleet', 'host', 'sign', 'version.ts'],
  packs: ['config', 'dialects', 'engine', 'executors', 'fast', 'redact', 'sign', 'version.ts'],
  // doors
  install: ['config', 'executors', 'dialects', 'engine', 'fast', 'host', 'journal', 'pipeline', 'version.ts'],
  sdk: ['acts', 'config', 'dialects', 'engine', 'fast', 'host', 'pipeline'],
  testing: ['cases', 'host', 'pipeline'],
  'index.ts': ['sdk', 'version.ts'],
  'client.ts': ['sdk'],
  'testing.ts': ['testing'],
  demo: ['index.ts'],
  cli: [
    ...['config', 'dialects', 'engine', 'executors', 'fast', 'journal', 'pipeline', 'redact', 'version.ts'],
    ...['acts', 'ask', 'builder', 'cases', 'history', 'host', 'install', 'sdk', 'testing', 'demo', 'packs'],
    ...['sign', 'fleet', 'hub'],
  ],
}

function imports(file: string): string[] {
  return [...text(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((found) =>
    relative(root, resolve(root, dirname(file), found[1]!)),
  )
}

describe('the arrows', () => {
  it('are drawn for every folder', () => {
    expect([...new Set(sources.map(part))].filter((folder) => !(folder in ARROWS))).toEqual([])
  })

  it('have a row for every folder in ARCHITECTURE.md, and one only', () => {
    const rows = [...text('ARCHITECTURE.md').matchAll(/^\| (`src\/[^|]*) \|/gm)].map((row) => row[1]!)
    const named = rows.flatMap((row) => [...row.matchAll(/src\/(\w+)\//g)].map((found) => found[1]!))
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((each) =>
      each.isDirectory(),
    )
    expect(named.sort()).toEqual(folders.map(({ name }) => name).sort())
  })

  it('point inward', () => {
    const wrong: string[] = []
    for (const file of sources) {
      const from = part(file)
      for (const target of imports(file)) {
        const to = target.startsWith('src/') ? part(target) : target
        if (to !== from && to !== 'spec' && !ARROWS[from]?.includes(to))
          wrong.push(`${file} imports ${target}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('form no cycle', () => {
    const circles: string[][] = []
    const walk = (folder: string, way: string[]) => {
      if (way.includes(folder)) circles.push([...way.slice(way.indexOf(folder)), folder])
      else for (const next of ARROWS[folder] ?? []) walk(next, [...way, folder])
    }
    for (const folder of Object.keys(ARROWS)) walk(folder, [])
    expect(circles).toEqual([])
  })

  it('lead from no listener to another', () => {
    const listener = (file: string) => /^src\/host\/(relay|http|grpc|page)\//.exec(file)?.[1]
    const wrong = sources.flatMap((file) =>
      imports(file)
        .filter((target) => listener(file) && listener(target) && listener(file) !== listener(target))
        .map((target) => `${file} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('lead to the pipeline through the composition root', () => {
    const makers = sources.filter((file) => /\bcreatePipeline\b/.test(text(file))).sort()
    expect(makers).toEqual(['src/host/assemble.ts', 'src/pipeline/pipeline.ts'])
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

describe('the journal', () => {
  it('is reached by its port: only its own folder knows the database', () => {
    const wrong = sources.flatMap((file) =>
      // A lock between processes is made of SQLite too, and so are the transcripts of some agents and the hub's own store.
      file.startsWith('src/journal/sqlite/') ||
      ['src/host/daemon-lock.ts', 'src/history/rows.ts', 'src/hub/database/sqlite.ts'].includes(file)
        ? []
        : [
            ...(/node:sqlite/.test(text(file)) ? [`${file} imports node:sqlite`] : []),
            ...imports(file)
              .filter((target) => /^src\/journal\/sqlite\/(?!open\.ts)/.test(target))
              .map((target) => `${file} imports ${target}`),
          ],
    )
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

describe('tests that share a process', () => {
  it('replace no module, global, variable or clock through what they import, which vitest.config.ts does not read', () => {
    const helpers = globSync('{src,test}/**/{testing,*-testing,work-time,times}.ts', { cwd: root })
    expect(helpers).toContain('src/host/relay/testing.ts')
    expect(helpers.filter((file) => replaces(text(file)))).toEqual([])
  })
})

/**
 * Folders whose files are called after what they are about: a command, a route, a table or a view of something may have
 * the name that this has elsewhere.
 */
const NAMED_AFTER =
  /^src\/(?:cli|demo|dialects|acts\/[^/]+|host\/(?:http|views)|hub\/(?:http\/routes|store)|packs\/sources)\/|^src\/[^/]+$/

/** Names of several files, each of which plays the same part in its folder. */
const SHARED_NAMES: Readonly<Record<string, string>> = {
  acts: 'what a call does, and the same for programs that use the library',
  install: 'entries in and out, of a user and of a machine',
  list: 'every one there is',
  outcome: 'the type, and the executor that gives a fixed one',
  people: 'who has signed in on a page',
  port: 'what others may ask of this part, whatever is behind it',
  run: 'the stage, and what it does',
  tables: 'the SQL of a database',
}

describe('files', () => {
  it('that a repository or an agent could replace are opened as plain ones (src/spec/read-file.ts)', () => {
    // Of the system, of the package itself, by a descriptor that was looked at, or what a person names on the command line.
    const others = [
      ...['cli/gallery-index.ts', 'cli/help-pages.ts', 'cli/help.ts', 'cli/hub.ts', 'cli/publish.ts'],
      ...[
        'cli/left-tree.ts',
        'cli/terminal-owner.ts',
        'config/is-alive.ts',
        'executors/descendants.ts',
        'host/options.ts',
        'host/page/built-page.ts',
      ],
      ...['host/peer.ts', 'host/relay/caller.ts', 'host/relay/predecessors.ts', 'install/canary.ts'],
      ...[
        'install/managed/accounts.ts',
        'install/managed/check-managed.ts',
        'install/managed/place-program.ts',
      ],
      ...['install/managed/service.ts', 'packs/change.ts', 'packs/fetch-file.ts', 'pipeline/starter.ts'],
      'sign/key-files.ts',
    ].map((file) => `src/${file}`)
    const readers = sources.filter(
      (file) => /\bread(File|FileSync)\(/.test(text(file)) && !/scan\.ts$/.test(file),
    )
    expect(readers.sort()).toEqual(others.sort())
  })
})

describe('file names', () => {
  const byName = Map.groupBy(
    sources.filter((file) => !NAMED_AFTER.test(file)),
    (file) => basename(file, '.ts'),
  )

  it('stand for one idea each, unless they name a part that several folders have', () => {
    const twice = [...byName].filter(([name, files]) => files.length > 1 && !(name in SHARED_NAMES))
    expect(twice).toEqual([])
  })

  it('are not said to be shared when they are not', () => {
    expect(Object.keys(SHARED_NAMES).filter((name) => (byName.get(name)?.length ?? 0) < 2)).toEqual([])
  })
})
