/**
 * Builds `dist/` with esbuild: the command line as one hot file for each kind of call (`hook`, `fire`, all others), which
 * holds what every such call needs, chunks for what many calls need, and lazy files for everything else, which the library
 * shares. Dependencies are bundled, so the published package has none. tsc makes the library's types, and leaves checking
 * them to `npm run check`.
 */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { buildPage } from './build-page.ts'
import { buildInParts, type Parts } from './build-parts.ts'
import { licences } from './licences.ts'
import { mergeChunks } from './merge-chunks.ts'
import { keepReachableTypes } from './reachable-types.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
// Built in a folder beside it and renamed at the end, because agents may be calling the program meanwhile.
const staging = join(root, `dist.${process.pid}`)
const out = join(staging, 'cli')

/**
 * Dynamic imports that are bundled into the hot files: small, and needed by most calls. Commands of people need none of them:
 * their own files are modules, with what these share.
 */
const HOT =
  /^src\/(cli\/fire|config\/check|executors\/(command|outcome)|acts\/world|engine\/act-checks|dialects\/agenthooks\/index)\.ts$/
/**
 * Those of a file for one kind of call become plain imports. Otherwise esbuild puts a function around each of them and of all
 * that they import, which V8 has to make, call and clear away: a millisecond.
 */
const EAGER: Readonly<Record<string, RegExp>> = {
  hot: HOT,
  fire: HOT,
}
/**
 * Dynamic imports that become CommonJS files beside the hot one, with what V8 compiled of them kept as well: as modules of
 * Node's other loader they would take tens of milliseconds. Packages among them must have named exports only.
 */
const CHUNK =
  /^(src\/acts\/acts\.ts|src\/dialects\/agenthooks\/config\.ts|src\/engine\/linear-pattern\.ts|unbash|re2js)$/
/** Modules that a call needs only when it reads hooks, starts a program, opens the database or meets a failure. */
const SELDOM: Parts = {
  reading: [
    ...modules('src/config', 'read-all check ownership recall project repository'),
    ...modules('src/spec', 'nearest'),
  ],
  programs: [
    ...modules('src/config', 'outside seal snapshot script-reach trust trust-records'),
    ...modules(
      'src/executors',
      'process hook-environment entry-point descendants start-failure input-file detached output program-keeper-process end-group',
    ),
    ...modules('src/pipeline/run', 'background code-fingerprint'),
    ...modules('src/journal', 'session-state'),
    ...modules('src/spec', 'attempted'),
  ],
  journal: [
    ...modules(
      'src/journal/sqlite',
      'verify search sums own-sums take-in counters retention anchors database store-errors records cached-answers meta',
    ),
    ...modules('src/journal', 'dead-letters resolutions file-lock'),
    ...modules('src/pipeline', 'confine starter record/letter'),
  ],
}
/** Files of which a call needs less than half; see build-parts.ts. */
const PARTS: Readonly<Record<string, Parts>> = {
  hot: SELDOM,
  fire: SELDOM,
  'chunks/acts-acts': {
    code: ['src/acts/code/scan.ts'],
    keys: ['src/acts/keys-in-text.ts'],
    tools: ['tool-code', 'tool-programs', 'tool-rights', 'tool-services'].map(
      (name) => `src/acts/${name}.ts`,
    ),
    services: 'clouds containers databases forges network secrets services sql'.split(' ').map(family),
    packages: 'packages system-packages'.split(' ').map(family),
    machine: 'archives disks editors machine mounts terminals windows'.split(' ').map(family),
  },
}

function modules(folder: string, names: string): string[] {
  return names.split(' ').map((name) => `${folder}/${name}.ts`)
}

function family(name: string): string {
  return `src/acts/programs/${name}.ts`
}

/** The launcher has loaded both already: one compiled, the other with its key. */
const OF_LAUNCHER = /^\.(?:\.\/fast)?\/(hash-module|nh)\.ts$/
const DIALECT = /^src\/dialects\/([^/]+)\/index\.ts$/

// Entry points of threads and processes, which no import leads to.
const lazy = new Set(['src/host/relay/module-worker.ts', 'src/pipeline/run/filter-output.ts'])
const dialects = new Set<string>()
const chunks = new Set<string>()
/** The entry points of the library, as in package.json's exports. */
const LIBRARY = ['index', 'spec/index', 'client', 'testing']
const hotInputs: string[] = []
/** Files of the build that the launcher loads. */
const hotFiles: string[] = []

/** A dynamic import leads to a file of its own, unless it is hot. `up` is the way from the importing file to `dist/cli`. */
function split(up: string, hot?: RegExp): Plugin {
  return {
    name: 'split',
    setup({ onResolve }) {
      onResolve({ filter: /^[^/]/ }, ({ path, kind, resolveDir }) => {
        const own = OF_LAUNCHER.exec(path)?.[1]
        if (own !== undefined) return { path: `launcher:${own}`, external: true }
        if (kind !== 'dynamic-import' || path.startsWith('node:')) return undefined
        const source = path.startsWith('.') ? relative(root, resolve(resolveDir, path)) : path
        if (hot?.test(source)) return undefined
        return { path: `${up}/${fileOf(source)}`, external: true }
      })
    },
  }
}

/** Below `dist/cli`; notes that the file has to be built. */
function fileOf(source: string): string {
  const dialect = DIALECT.exec(source)?.[1]
  if (dialect !== undefined) {
    dialects.add(dialect)
    return `dialects/${dialect}.cjs`
  }
  const name = fileName(source)
  if (CHUNK.test(source)) {
    chunks.add(source)
    return `chunks/${name}.cjs`
  }
  lazy.add(source)
  return `lazy/${name}.js`
}

/** `import('./x.ts')` of what is matched, as an import at the top. */
function eager(wanted: RegExp): Plugin {
  return {
    name: 'eager',
    setup({ onLoad }) {
      onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
        const tops: string[] = []
        const contents = readFileSync(path, 'utf8').replaceAll(
          /(?<!typeof )\bimport\('(\.[^']+)'\)/g,
          (given, id: string) => {
            if (!wanted.test(relative(root, resolve(dirname(path), id)))) return given
            tops.push(`import * as __eager${tops.length} from '${id}'\n`)
            return `Promise.resolve(__eager${tops.length - 1})`
          },
        )
        return tops.length === 0 ? undefined : { contents: tops.join('') + contents, loader: 'ts' }
      })
    },
  }
}

/** CommonJS files are loaded with require(): import() would start Node's ESM loader, which costs milliseconds. */
async function buildHot(name: string, source: string, up: string): Promise<void> {
  const options: BuildOptions = {
    ...common,
    // Minified: a third less to read, and to load from V8's cache, at each call of an agent. CROSSHOOK_READABLE=1 keeps names for profiles.
    minifyIdentifiers: process.env.CROSSHOOK_READABLE !== '1',
    plugins: [...(EAGER[name] ? [eager(EAGER[name])] : []), split(up, name === 'commands' ? undefined : HOT)],
  }
  const parts = PARTS[name]
  if (parts) {
    const { files, inputs } = await buildInParts({ root, name: basename(name), source, parts }, options)
    hotInputs.push(...inputs)
    for (const [file, text] of files) writeHot(join(dirname(name), file), text)
    return
  }
  const { outputFiles, metafile } = await build({
    ...options,
    metafile: true,
    entryPoints: [entryPoint(source)],
    format: 'cjs',
    write: false,
    outfile: join(out, `${name}.cjs`),
  })
  hotInputs.push(...Object.keys(metafile!.inputs))
  writeHot(name, outputFiles![0]!.text)
}

function writeHot(name: string, given: string): void {
  const text = given
    .replace(/^#!.*\n/, '')
    .replaceAll(/\bimport\(("[^"]+\.cjs")\)/g, 'Promise.resolve().then(()=>require($1))')
    // A vm.Script has no import(): the launcher passes one in.
    .replaceAll(/\bimport\(("(?:\.|node:)[^"]+")\)/g, '__import($1)')
    // esbuild does not escape regular expressions. One non-Latin-1 character makes V8 store the whole file with two bytes per character.
    .replaceAll(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  mkdirSync(dirname(join(out, name)), { recursive: true })
  // Added here and not by the launcher, where joining the texts would copy the whole file once more.
  const wrapped = `(function(module,exports,require,__import,__filename){${text}\n})`
  writeFileSync(join(out, `${name}.cjs`), wrapped)
  hotFiles.push(name)
}

/**
 * `import … from 'node:fs'` makes Node build a module of every export, which runs getters that load half of its
 * library. Asking for the object itself does not.
 */
const builtins: Plugin = {
  name: 'builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : { path, namespace: 'builtin' },
    )
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}')`,
      loader: 'js',
    }))
  },
}

/**
 * Packages that ask zod for its `z` as one object keep all of it, with the messages of fifty languages, in the file that
 * every command loads which reads a HOOK.md.
 */
const partsOfZod: Plugin = {
  name: 'parts-of-zod',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/(ai|@ai-sdk\/[^/]+)\/dist\/.*\.m?js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(
        /import ?\{ ?z( as \w+)? ?\} ?from ?(["']zod\/v4["'])/g,
        (_, as = ' as z', from) => `import *${as} from ${from}`,
      ),
      loader: 'js',
    }))
  },
}

const common: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node22',
  // Some packages' CommonJS builds cannot be bundled.
  mainFields: ['module', 'main'],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
}

/** Already loaded by Node, and called often. */
const LOADED_AT_START = /_(fs|path)\(/

process.on('exit', () => rmSync(staging, { recursive: true, force: true }))
await buildHot('hot', 'src/cli/main-hook.ts', '.')
await buildHot('fire', 'src/cli/main-run.ts', '.')
await buildHot('commands', 'src/cli/main-run.ts', '.')
for (const id of dialects) await buildHot(`dialects/${id}`, `src/dialects/${id}/index.ts`, '..')
// A chunk may ask for further ones, which join the set while it is walked.
for (const source of chunks) await buildHot(`chunks/${fileName(source)}`, source, '..')
await writeLauncher(hotFiles.sort())
/** Packages written for require() find one here. */
const REQUIRE =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);"
const pieces = join(staging, 'pieces')
const { metafile } = await build({
  ...common,
  entryPoints: {
    ...Object.fromEntries([...lazy].map((source) => [`cli/lazy/${fileName(source)}`, entryPoint(source)])),
    ...Object.fromEntries(LIBRARY.map((entry) => [`lib/${entry}`, join(root, 'src', `${entry}.ts`)])),
  },
  outdir: pieces,
  splitting: true,
  format: 'esm',
  metafile: true,
  chunkNames: 'shared/[name]-[hash]',
  plugins: [builtins, partsOfZod],
  banner: { js: REQUIRE },
})
/** The file of esbuild's own functions, which does nothing by itself. */
const [helpers = 'none'] = Object.entries(metafile!.outputs).flatMap(([file, { exports }]) =>
  exports.includes('__commonJS') ? [file] : [],
)
for (const output of Object.keys(metafile!.outputs)) {
  withoutIdleRequire(join(root, output))
  withoutCopies(join(root, output))
}
// esbuild's own functions, which the smallest programs that bundle the library do not need.
const isAlone = (file: string) => readFileSync(join(pieces, file), 'utf8').startsWith(REQUIRE)
await mergeChunks(
  { from: pieces, to: staging, root, outputs: metafile!.outputs, library: 'lib', isAlone },
  common,
)
const pageInputs = [
  ...(await buildPage(join(staging, 'page'))),
  ...(await buildPage(join(staging, 'hub-page'), 'hub')),
]
writeFileSync(
  join(staging, 'LICENCES.txt'),
  licences([...hotInputs, ...Object.keys(metafile!.inputs), ...pageInputs], root),
)
execFileSync(
  process.execPath,
  [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    join(root, 'tsconfig.build.json'),
    '--outDir',
    join(staging, 'lib'),
  ],
  { stdio: 'inherit' },
)
keepReachableTypes(
  join(staging, 'lib'),
  LIBRARY.map((entry) => `${entry}.d.ts`),
)
const { buildRelay } = await import('../relay/build.ts')
buildRelay(join(staging, 'relay'))
const old = join(root, `dist.${process.pid}.old`)
if (existsSync(join(root, 'dist'))) renameSync(join(root, 'dist'), old)
renameSync(staging, join(root, 'dist'))
rmSync(old, { recursive: true, force: true })
// What tests keep of the last build (test/compile-cache.ts).
rmSync(join(root, 'node_modules/.cache/crosshook-tests/code'), { recursive: true, force: true })

/** An id that differs for each build, to recognise files of another build. */
async function writeLauncher(names: readonly string[]): Promise<void> {
  const hash = createHash('sha256')
  for (const file of names) hash.update(readFileSync(join(out, `${file}.cjs`)))
  const { outputFiles } = await build({
    ...common,
    minifyIdentifiers: process.env.CROSSHOOK_READABLE !== '1',
    minifyWhitespace: false,
    entryPoints: [join(root, 'src/cli/launch.mjs')],
    format: 'cjs',
    write: false,
    outfile: join(out, 'main.cjs'),
  })
  const name = hash.digest('hex').slice(0, 16)
  // The launcher runs only files of its own build, and whole ones.
  for (const file of names) appendFileSync(join(out, `${file}.cjs`), `\n// ${name}\n`)
  writeFileSync(join(out, 'main.cjs'), compiledAtOnce(outputFiles![0]!.text).replaceAll('%BUILD%', name))
  chmodSync(join(out, 'main.cjs'), 0o755)
}

/**
 * V8 compiles a function in parentheses together with the text around it; it reads others twice, the second time when they are
 * called. Every call of the program needs almost all functions of the launcher, for which nothing compiled is kept.
 */
function compiledAtOnce(text: string): string {
  const functions: string[] = []
  const rest = text.replaceAll(/^function ([\w$]+)(\(.*\n(?:[^}].*\n|\n)*\}\n)/gm, (_, name, more) => {
    functions.push(`var ${name} = (function ${more.trimEnd()});\n`)
    return ''
  })
  const [start] = /^(?:#!.*\n)?"use strict";\n/.exec(rest)!
  return start + functions.join('') + rest.slice(start.length)
}

function fileName(source: string): string {
  return source
    .replace(/^src\//, '')
    .replace(/\.ts$/, '')
    .replace('@', '')
    .replaceAll('/', '-')
}

/** A file of this repository, or a package. */
function entryPoint(source: string): string {
  return source.endsWith('.ts') ? join(root, source) : source
}

/** Most files do not need it, and programs that bundle crosshook would carry it once for each of them. */
function withoutIdleRequire(file: string): void {
  const text = file.endsWith('.js') ? readFileSync(file, 'utf8') : ''
  const rest = text.replace(REQUIRE, '').trimStart()
  if (text.startsWith(REQUIRE) && !/\brequire\b/.test(rest)) writeFileSync(file, rest)
}

/**
 * esbuild copies every name of one of Node's modules, once for each file that imports it: 4 ms of a command's start. Modules
 * that Node itself has not loaded by then are asked for when one of their functions is called.
 */
function withoutCopies(file: string): void {
  // As functions, so that programs that bundle the library leave out those that they do not use.
  let text = readFileSync(file, 'utf8').replaceAll(
    /var (require_node_\w+)=__commonJS\(\{"builtin:[^"]+"\(exports,module\)\{module\.exports=([^}]+)\}\}\);/g,
    'function $1(){return $2}',
  )
  for (const [copy, name, object] of text.matchAll(/([\w$]+)=__toESM\((require_node_\w+\(\)),1\)/g)) {
    const uses = new RegExp(
      `(?<![\\w$.])${name!.replaceAll('$', '\\$')}(?![\\w$])(\\.(?!default\\b)|=__toESM)?`,
      'g',
    )
    const isPlain = [...text.matchAll(uses)].every(([, next]) => next !== undefined)
    if (!isPlain) continue
    if (LOADED_AT_START.test(object!)) text = text.replace(copy, `${name}=${object}`)
    else
      text = text.replace(copy, name!).replaceAll(uses, (use, next) => (next === '.' ? `(${object}).` : use))
  }
  const left = text.replaceAll(/import\{((?:__\w+,?)+)\}from"[^"]+";/g, (whole, names: string) =>
    names.split(',').some((name) => text.split(name).length > 2) ? whole : '',
  )
  writeFileSync(file, left.replaceAll(new RegExp(`import"[^"]*/${basename(helpers)}";`, 'g'), ''))
}
