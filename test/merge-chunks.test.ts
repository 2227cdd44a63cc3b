import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mergeChunks } from '../tools/merge-chunks.ts'

/**
 * `one` and `two` are commands, `lib/all` is the library. `top` and `bottom` have the same users, with `middle` between
 * them, which the library has as well; `first` and `second` use the same names for two things.
 */
const SOURCES: Record<string, string> = {
  'one.js': `import { say } from './first.js'; import { say as again } from './second.js'; import { top } from './top.js'
    import { next } from './counter.js'; console.log(say(), again(), top, next(), (await import('./later.js')).later())`,
  'two.js': `import { say } from './second.js'; import { say as again } from './first.js'; import { top } from './top.js'
    import './only-runs.js'; import { next } from './counter.js'; console.log(say(), again(), top, next())`,
  'three.js': `import { say } from './first.js'; import { top } from './top.js'; console.log(say(), top)`,
  'later.js': `import { next } from './counter.js'; export const later = () => next()`,
  'lib/all.js': `import { middle } from '../middle.js'; import { next } from '../counter.js'; export const all = [middle, next]`,
  'first.js': `const text = 'first'; export const say = () => text`,
  'second.js': `const text = 'second'; export const say = () => text; export const unused = 1`,
  'top.js': `import { middle } from './middle.js'; export const top = 'top of ' + middle`,
  'middle.js': `import { bottom } from './bottom.js'; export const middle = 'middle of ' + bottom`,
  'bottom.js': `export const bottom = 'bottom'`,
  'counter.js': `let count = 0; export const next = () => ++count`,
  'only-runs.js': `console.log('runs')`,
}

describe('chunks that are put together', () => {
  const place = mkdtempSync(join(tmpdir(), 'chunks-'))
  const run = (file: string) =>
    execFileSync(process.execPath, [join(place, file)], { encoding: 'utf8', cwd: place })
  const before: Record<string, string> = {}
  let pieces = 0

  beforeAll(async () => {
    writeFileSync(join(place, 'package.json'), '{"type":"module"}')
    for (const [file, text] of Object.entries(SOURCES)) {
      mkdirSync(dirname(join(place, 'src', file)), { recursive: true })
      writeFileSync(join(place, 'src', file), text)
    }
    const entries = ['one', 'two', 'three', 'lib/all']
    const { metafile } = await build({
      entryPoints: Object.fromEntries(entries.map((name) => [name, join(place, 'src', `${name}.js`)])),
      outdir: join(place, 'pieces'),
      chunkNames: 'shared/[name]-[hash]',
      bundle: true,
      splitting: true,
      format: 'esm',
      metafile: true,
      absWorkingDir: place,
    })
    for (const name of ['one', 'two', 'three']) before[name] = run(`pieces/${name}.js`)
    pieces = globSync('pieces/shared/*.js', { cwd: place }).length
    const { outputs } = metafile
    await mergeChunks(
      { from: join(place, 'pieces'), to: join(place, 'out'), root: place, outputs, library: 'lib' },
      { bundle: true, platform: 'node' },
    )
  })
  afterAll(() => rmSync(place, { recursive: true, force: true }))

  it.each(['one', 'two', 'three'])('do what they did before: %s', (name) => {
    expect(run(`out/${name}.js`)).toBe(before[name])
  })

  it('are fewer files', () => {
    expect(before.one).toBe('first second top of middle of bottom 1 2\n')
    expect(before.two).toBe('runs\nsecond first top of middle of bottom 1\n')
    expect(globSync('out/shared/*.js', { cwd: place }).length).toBeLessThan(pieces)
  })

  it('bring the library nothing that it does not use', () => {
    const seen = new Set([join(place, 'out/lib/all.js')])
    for (const file of seen)
      for (const [, next] of readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+)"/g))
        seen.add(join(dirname(file), next!))
    const text = [...seen].map((file) => readFileSync(file, 'utf8')).join('\n')
    expect(text).toContain('middle of ')
    expect(text).not.toMatch(/first|second|top of/)
  })
})

it('no built file imports itself by way of others', () => {
  const dist = join(import.meta.dirname, '../dist')
  const files = globSync('{cli/lazy,lib,shared}/**/*.js', { cwd: dist })
  const done = new Set<string>()
  const visit = (file: string, way: readonly string[]): void => {
    expect(way, `${[...way, file].join(' → ')}`).not.toContain(file)
    if (done.has(file)) return
    const text = readFileSync(join(dist, file), 'utf8')
    for (const [, next] of text.matchAll(/\b(?:from|import)"(\.[^"]+\.js)"/g))
      visit(join(dirname(file), next!), [...way, file])
    done.add(file)
  }
  expect(files.length).toBeGreaterThan(100)
  for (const file of files) visit(file, [])
})

it('every built file loads', () => {
  const dist = join(import.meta.dirname, '../dist')
  // Programs of threads and processes, which begin their work at once.
  const programs = /module-worker|filter-output/
  const files = globSync('{cli/lazy,lib,shared}/**/*.js', { cwd: dist }).filter(
    (file) => !programs.test(file),
  )
  const code = `for (const file of ${JSON.stringify(files)})
    await import(${JSON.stringify(`${dist}/`)} + file).catch((error) => console.log(file, error.stack))`
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
    encoding: 'utf8',
  })
  expect(printed).toBe('')
})
