/**
 * Splits a chunk into several files, so that code which few calls need is read, authenticated and compiled only when one of
 * its functions is called. The sources import it as usual; here each import from outside of a part gets stub functions of the
 * same names, which load the part first. esbuild's splitting puts each module into one file only, so no module state exists twice.
 */

import { basename, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { type BuildOptions, build, type Plugin, transform } from 'esbuild'

/** By name: the modules whose exports are used from outside. They may export functions, texts and numbers only. */
export type Parts = Readonly<Record<string, readonly string[]>>

export interface Built {
  /** By file name without its ending: CommonJS. */
  files: ReadonlyMap<string, string>
  inputs: readonly string[]
}

/** The file of the chunk is called `name`, those of the parts `name-part`. */
export async function buildInParts(
  { root, name, source, parts }: { root: string; name: string; source: string; parts: Parts },
  options: BuildOptions,
): Promise<Built> {
  const main = join(root, source)
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: { main, ...Object.fromEntries(Object.keys(parts).map((part) => [part, `part:${part}`])) },
    format: 'esm',
    splitting: true,
    write: false,
    metafile: true,
    outdir: join(root, 'out'),
    plugins: [lazyParts(root, main, parts), ...(options.plugins ?? [])],
  })
  const texts = new Map(outputFiles!.map(({ path, text }) => [basename(path, '.js'), text]))
  const files = new Map<string, string>()
  const entry = texts.get('main')!
  const shared = /"\.\/([\w-]+)\.js"/.exec(entry)![1]!
  const fileOf = (each: string) => (each === shared ? name : `${name}-${each}`)
  for (const [each, text] of texts) {
    if (each === 'main') continue
    const named = text
      .replaceAll(
        /__part\(import\("\.\/([\w-]+)\.js"\)\)/g,
        (_, id: string) => `require("./${fileOf(id)}.cjs")`,
      )
      .replaceAll(/from"\.\/([\w-]+)\.js"/g, (_, id: string) => `from"./${fileOf(id)}.cjs"`)
      .replaceAll(/import"\.\/([\w-]+)\.js";?/g, '')
    const { code } = await transform(named, { ...minified(options), format: 'cjs', platform: 'node' })
    files.set(
      fileOf(each),
      each === shared
        ? withFewExports(code, entry)
        : code.replaceAll(`require("./${name}.cjs")`, `require("./${name}.cjs").${INNER}()`),
    )
  }
  return { files, inputs: Object.keys(metafile!.inputs) }
}

/** Exports of the shared file that only parts use: created when the first part is loaded. */
const INNER = '__inner'

/**
 * Every part imports the chunk itself, so that esbuild puts the whole chunk into one shared file and the entry only re-exports
 * from it. Without this the hundred exports for the parts would be created at each call.
 */
function withFewExports(code: string, entry: string): string {
  const made = /(?<![\w$])([\w$]+)\(([\w$]+),(\{[^{}]*\})\);module\.exports=[\w$]+\(\2\);/.exec(code)
  if (!made) throw new Error('esbuild writes the exports of a CommonJS file in another way than expected')
  const [all, define, , getters] = made
  const locals = new Map(
    [...getters!.matchAll(/([\w$]+):\(\)=>([\w$]+)/g)].map(([, theirs, own]) => [theirs!, own!]),
  )
  const inner = `var ${INNER};module.exports={${INNER}(){if(!${INNER})${define}(${INNER}={},${getters});return ${INNER}}};`
  const shared = `${code.replace(all, () => inner)}\n${exportsOf(entry, locals)}`
  // What cannot be parsed would fail at the first call.
  new Script(shared)
  return shared
}

function exportsOf(entry: string, locals: ReadonlyMap<string, string>): string {
  if (!entry.includes('export{')) return ''
  const pairs = (list: string) => list.split(',').map((pair) => pair.split(' as ') as [string, string?])
  const [, imported] = /import\{([^}]+)\}from/.exec(entry)!
  const [, exported] = /export\{([^}]+)\}/.exec(entry)!
  const theirs = new Map(pairs(imported!).map(([name, own = name]) => [own, name]))
  const fields = pairs(exported!).map(([own, as = own]) => `${as}:${locals.get(theirs.get(own)!)}`)
  return `Object.assign(module.exports,{${fields.join(',')}});`
}

function lazyParts(root: string, main: string, parts: Parts): Plugin {
  const partOf = new Map<string, string>()
  for (const [part, modules] of Object.entries(parts))
    for (const module of modules) partOf.set(join(root, module), part)
  return {
    name: 'parts',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^part:/ }, ({ path }) => ({ path: path.slice('part:'.length), namespace: 'part' }))
      onLoad({ filter: /.*/, namespace: 'part' }, ({ path: part }) => ({
        contents: [main, ...parts[part]!.map((module) => join(root, module))]
          .map((file, at) =>
            at === 0 ? `import ${JSON.stringify(file)}` : `export * from ${JSON.stringify(file)}`,
          )
          .join('\n'),
        resolveDir: root,
        loader: 'ts',
      }))
      onResolve({ filter: /^\./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (kind !== 'import-statement' || pluginData === INSIDE) return undefined
        const found = await resolve(path, { kind, importer, resolveDir, pluginData: INSIDE })
        const part = partOf.get(found.path)
        if (part === undefined || partOf.get(importer) === part) return undefined
        return { path: found.path, namespace: 'lazy', pluginData: part }
      })
      onLoad({ filter: /.*/, namespace: 'lazy' }, async ({ path, pluginData: part }) => ({
        contents: await stub(path, part as string, root),
        resolveDir: root,
        loader: 'ts',
      }))
    },
  }
}

const INSIDE = Symbol('already resolved')

/** Its functions, which load the part at their first call. */
async function stub(path: string, part: string, root: string): Promise<string> {
  const exports = (await import(pathToFileURL(path).href)) as Record<string, unknown>
  const lines = Object.entries(exports).map(([name, value]) => {
    if (typeof value === 'string' || typeof value === 'number')
      return `export const ${name} = ${JSON.stringify(value)}`
    if (typeof value !== 'function' || /^class\b/.test(String(value)))
      throw new Error(
        `${relative(root, path)}: ${name} is neither a function nor a plain value, so it cannot be of the part ${part}`,
      )
    return `export function ${name}(...args) { return part().${name}(...args) }`
  })
  return `const part = () => __part(import(${JSON.stringify(`part:${part}`)}))\n${lines.join('\n')}\n`
}

function minified({ minifyIdentifiers, target }: BuildOptions) {
  return {
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none' as const,
    ...(minifyIdentifiers === undefined ? {} : { minifyIdentifiers }),
    ...(target === undefined ? {} : { target }),
  }
}
