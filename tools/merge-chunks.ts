/**
 * Puts small files of esbuild's splitting together: it makes one file for each set of entry points, and Node takes half a
 * millisecond for each that a command loads. Entry points keep their names and places.
 * A file that a program carries which imports the library is put together only with files that it carries as well.
 */

import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'

/** Cost in Node of one more file (find, read, link), and of code that a command does not need (compile, run). */
const FILE_MS = 0.5
const UNNEEDED_MS_PER_KB = 0.03

export interface Split {
  /** The folder of what esbuild has written; it is removed. */
  from: string
  /** Where to write it, at the same places. */
  to: string
  /** To which paths in `outputs` are relative. */
  root: string
  outputs: Metafile['outputs']
  /** The folder below `from` with the entry points of the library. */
  library: string
  /** A file that stays as it is. */
  isAlone?: (file: string) => boolean
}

/** One output file, made of one or more files of esbuild. */
interface Group {
  files: string[]
  bytes: number
  /** One bit for each entry point that loads it at its start. */
  users: bigint
  /** Those of them that are the library's. */
  library: bigint
  /** Files that it imports. */
  imports: Set<string>
}

interface Output {
  bytes: number
  isEntry: boolean
  imports: string[]
  exports: string[]
}

export async function mergeChunks(split: Split, options: BuildOptions): Promise<void> {
  const outputs = outputsOf(split)
  const entries = [...outputs.keys()].filter((file) => outputs.get(file)!.isEntry)
  const all = groupsOf(outputs, entries, split.library)
  const alone = all.filter(({ files }) => split.isAlone?.(files[0]!) === true)
  const groups = mergeWorthwhile(all, new Set(alone))
  await build({
    ...options,
    entryPoints: Object.fromEntries([
      ...entries.map((file) => [file.replace(/\.js$/, ''), join(split.from, file)]),
      ...groups.map((group) => [nameOf(group), nameOf(group)]),
    ]),
    outdir: split.to,
    format: 'esm',
    plugins: [together(split.from, groups, outputs)],
  })
  rmSync(split.from, { recursive: true })
}

function outputsOf({ from, root, outputs }: Split): Map<string, Output> {
  const below = (path: string) => relative(from, resolve(root, path))
  return new Map(
    Object.entries(outputs).map(([path, { bytes, entryPoint, exports, imports }]) => [
      below(path),
      {
        bytes,
        exports,
        isEntry: entryPoint !== undefined,
        imports: imports
          .filter(({ kind, external }) => kind === 'import-statement' && external !== true)
          .map((each) => below(each.path)),
      },
    ]),
  )
}

function groupsOf(
  outputs: ReadonlyMap<string, Output>,
  entries: readonly string[],
  library: string,
): Group[] {
  const groups = new Map<string, Group>()
  for (const [file, { bytes, isEntry, imports }] of outputs)
    if (!isEntry)
      groups.set(file, { files: [file], bytes, users: 0n, library: 0n, imports: new Set(imports) })
  for (const [index, entry] of entries.entries()) {
    const bit = 1n << BigInt(index)
    const loaded = new Set([entry])
    for (const file of loaded) {
      for (const next of outputs.get(file)!.imports) loaded.add(next)
      const group = groups.get(file)
      if (!group) continue
      group.users |= bit
      if (entry.startsWith(`${library}/`)) group.library |= bit
    }
  }
  return [...groups.values()]
}

/** Merges two groups at a time, the pair that saves most first. */
function mergeWorthwhile(given: readonly Group[], alone: ReadonlySet<Group>): Group[] {
  const groups = new Set(given)
  const owners = new Map(given.map((group) => [group.files[0]!, group]))
  const others = given.filter((group) => !alone.has(group))
  const pairs = others.flatMap((a, index) => others.slice(index + 1).flatMap((b) => pairOf(a, b)))
  for (;;) {
    pairs.sort((a, b) => a.saves - b.saves)
    const best = pairs.pop()
    if (!best) return [...groups]
    const { a, b } = best
    if (!groups.has(a) || !groups.has(b)) continue
    const [ofA, ofB] = [loadedBy(a, owners), loadedBy(b, owners)]
    if (leadsAround(a, b, ofA, owners) || leadsAround(b, a, ofB, owners)) continue
    const saves = FILE_MS * count(a.users & b.users) - inVain(a, b, ofB) - inVain(b, a, ofA)
    if (saves <= 0) continue
    if (saves < (pairs.at(-1)?.saves ?? 0)) {
      pairs.push({ a, b, saves })
      continue
    }
    const merged: Group = {
      files: [...a.files, ...b.files],
      bytes: a.bytes + b.bytes,
      users: a.users | b.users,
      library: a.library,
      imports: new Set([...a.imports, ...b.imports]),
    }
    for (const each of new Set([...ofA, ...ofB])) each.users |= merged.users
    groups.delete(a)
    groups.delete(b)
    for (const file of merged.files) owners.set(file, merged)
    for (const other of groups) if (!alone.has(other)) pairs.push(...pairOf(merged, other))
    groups.add(merged)
  }
}

/** `saves` is an upper bound: the imports of the two are not considered yet. */
function pairOf(a: Group, b: Group): { a: Group; b: Group; saves: number }[] {
  if (a.library !== b.library) return []
  const saves = FILE_MS * count(a.users & b.users) - inVain(a, b, new Set([b])) - inVain(b, a, new Set([a]))
  return saves > 0 ? [{ a, b, saves }] : []
}

/** Milliseconds that entry points which need only `a` would spend on `b` and its imports. */
function inVain(a: Group, b: Group, loaded: ReadonlySet<Group>): number {
  let bytes = 0
  for (const each of loaded) bytes += each.bytes * count(a.users & ~b.users & ~each.users)
  return (UNNEEDED_MS_PER_KB * bytes) / 1000
}

function count(bits: bigint): number {
  return bits === 0n ? 0 : bits.toString(2).replaceAll('0', '').length
}

/** The group and all that it imports, directly or not. */
function loadedBy(group: Group, owners: ReadonlyMap<string, Group>): Set<Group> {
  const loaded = new Set([group])
  for (const each of loaded) for (const file of each.imports) loaded.add(owners.get(file)!)
  return loaded
}

/** Does `a` import `b` through other files? Merged, the file would import itself. */
function leadsAround(
  a: Group,
  b: Group,
  loaded: ReadonlySet<Group>,
  owners: ReadonlyMap<string, Group>,
): boolean {
  return [...loaded].some(
    (each) => each !== a && each !== b && [...each.imports].some((file) => owners.get(file) === b),
  )
}

function nameOf({ files }: Group): string {
  if (files.length === 1) return files[0]!.replace(/\.js$/, '')
  return `shared/${createHash('sha256').update(files.toSorted().join()).digest('hex').slice(0, 8)}`
}

/** Inside a group its files are bundled; an import from another one is an import of that group's file. */
function together(from: string, groups: readonly Group[], outputs: ReadonlyMap<string, Output>): Plugin {
  const byName = new Map(groups.map((group) => [nameOf(group), group]))
  const byFile = new Map(groups.flatMap((group) => group.files.map((file) => [join(from, file), group])))
  return {
    name: 'together',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path, kind, importer, namespace, resolveDir }) => {
        if (kind === 'entry-point') return byName.has(path) ? { path, namespace: 'group' } : undefined
        const file = resolve(resolveDir, path)
        const group = byFile.get(file)
        if (kind !== 'import-statement' || !group) return { path, external: true }
        if (namespace === 'group' || byFile.get(importer) === group) return { path: file }
        return { path: file, namespace: 'other', suffix: `?${relative(join(importer, '..'), from) || '.'}` }
      })
      onLoad({ filter: /.*/, namespace: 'group' }, ({ path }) => {
        const group = byName.get(path)!
        const lines = group.files.map((file) => {
          const names = [...namesIn(group, file, outputs)].map(([name, inGroup]) => `${name} as ${inGroup}`)
          return names.length > 0 ? `export { ${names} } from './${file}'` : `import './${file}'`
        })
        return { contents: lines.join('\n'), resolveDir: from }
      })
      onLoad({ filter: /.*/, namespace: 'other' }, ({ path, suffix }) => {
        const group = byFile.get(path)!
        const names = [...namesIn(group, relative(from, path), outputs)]
        const shown = names.map(([name, inGroup]) => `${inGroup} as ${name}`)
        return {
          contents: `export { ${shown} } from '${suffix.slice(1)}/${nameOf(group)}.js'`,
          resolveDir: from,
        }
      })
    },
  }
}

/** What a file exports, and under which name its group does: two files may use one name for two things. */
function namesIn(group: Group, file: string, outputs: ReadonlyMap<string, Output>): Map<string, string> {
  const before = new Set(
    group.files.slice(0, group.files.indexOf(file)).flatMap((each) => outputs.get(each)!.exports),
  )
  const number = group.files.indexOf(file)
  return new Map(
    outputs.get(file)!.exports.map((name) => [name, before.has(name) ? `${name}$${number}` : name]),
  )
}
