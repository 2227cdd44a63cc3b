/** A HOOK.md, a hook's folder, or a folder of such folders → hooks and what is wrong with them. */

import { readdirSync, readlinkSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { sha256Hex } from '../../fast/digest.ts'
import type { Source } from '../../spec/dialect.ts'
import { messageOf } from '../../spec/errors.ts'
import type { Hook, Loaded, Problem } from '../../spec/hook.ts'
import { readBytes } from '../../spec/read-file.ts'
import { afterChange, CHANGE_FILE, CHANGING } from '../lib/changing.ts'
import { standIn } from './claims.ts'
import { type Frontmatter, MAX_FILE, parseFrontmatter } from './frontmatter.ts'
import { lineOf, toHook } from './hook.ts'

const FILE = 'HOOK.md'

export function read(source: Source): Loaded {
  const path = resolve(source.path)
  const loaded: Loaded = { hooks: [], problems: [] }
  if (source.text !== undefined || !isFolder(path, loaded)) {
    if (isWrongCase(basename(path))) loaded.problems.push(wrongCase(path))
    else if (source.text !== undefined || exists(path)) readHook(path, source, loaded)
    return loaded
  }
  for (let tries = 1; ; tries++) {
    const before = stateOf(path)
    const done = readNames(path, source, { hooks: [], problems: [...loaded.problems] })
    // A folder that was renamed while the list was read may be missing or listed twice: read again.
    if (tries < MAX_READS && stateOf(path) !== before) continue
    return done
  }
}

/** How often a folder that keeps changing is read again. */
const MAX_READS = 100

function stateOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.ino} ${stat.ctimeNs}` : ''
}

function readNames(path: string, source: Source, loaded: Loaded): Loaded {
  const names = namesIn(path, loaded)
  if (!names.includes(FILE)) {
    readFolder(path, names, source, loaded)
    return loaded
  }
  readHook(join(path, FILE), source, loaded)
  // A HOOK.md beside the folders of hooks must not hide them.
  if (names.some((name) => isHookFolder(join(path, name)))) {
    loaded.problems.push(beside(join(path, FILE)))
    readFolder(path, names, source, loaded)
  }
  return loaded
}

function isHookFolder(path: string): boolean {
  try {
    return statSync(join(path, FILE), { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    return !isAbsent(error) // reading it later reports the error
  }
}

function beside(file: string): Problem {
  return {
    level: 'warning',
    file,
    message: `${FILE} lies beside folders of other hooks, so that its folder holds theirs too.`,
    fix: 'Move it to a folder of its own.',
  }
}

/** By name. A change record that cannot be read is ignored and reported. */
function childrenOf(folder: string, names: readonly string[], loaded: Loaded): [string, string][] {
  try {
    return [...afterChange(folder, names)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  } catch (error) {
    const file = join(folder, CHANGING, CHANGE_FILE)
    loaded.problems.push({
      level: 'error',
      file,
      message: `An unfinished change of this folder cannot be read: ${messageOf(error)}.`,
      fix: `Remove ${join(folder, CHANGING)}, then \`crosshook sync\`.`,
      unread: true,
    })
    return names.toSorted().map((name) => [name, join(folder, name)])
  }
}

/** Direct children only, by name. */
function readFolder(folder: string, names: readonly string[], source: Source, loaded: Loaded): void {
  loaded.problems.push(...wrongCases(folder, names))
  const found: Loaded = { hooks: [], problems: loaded.problems }
  for (const [, child] of childrenOf(folder, names, loaded)) {
    if (!isFolder(child, loaded)) continue
    const inside = namesIn(child, loaded)
    if (inside.includes(FILE)) readHook(join(child, FILE), source, found)
    else loaded.problems.push(...wrongCases(child, inside))
  }
  const byName = new Map<string, Hook>()
  for (const hook of found.hooks) {
    const earlier = byName.get(hook.name)
    if (earlier) loaded.problems.push(sameName(hook, earlier))
    byName.set(hook.name, hook)
  }
  loaded.hooks.push(...found.hooks)
  if (found.broken) loaded.broken = [...(loaded.broken ?? []), ...found.broken]
}

function readHook(file: string, source: Source, loaded: Loaded): void {
  const text = source.text ?? textOf(file)
  const breaks = (problem: Problem, known?: string) => {
    ;(loaded.broken ??= []).push(standIn(file, source.scope, problem, known))
  }
  if (typeof text !== 'string') {
    loaded.problems.push(text)
    breaks(text)
    return
  }
  const parsed = parseFrontmatter(text)
  if ('error' in parsed) {
    const problem: Problem = { level: 'error', file, ...parsed.error }
    loaded.problems.push(problem)
    breaks(problem, text)
    return
  }
  for (const warning of parsed.warnings) loaded.problems.push({ level: 'warning', file, ...warning })
  const { hook, problems } = toHook(parsed, {
    file,
    dir: dirname(file),
    scope: source.scope,
    size: text.length,
  })
  loaded.problems.push(...problems)
  if (!hook) {
    breaks(problems.find(({ level }) => level === 'error')!, text)
    return
  }
  if (source.scope === 'project') hook.origin.digest = sha256Hex(text)
  loaded.hooks.push(hook)
  fronts.set(hook, parsed)
}

const fronts = new WeakMap<Hook, Frontmatter>()

/** Fields of `run` are looked up by their last part, such as `url`. */
export function lineOfField(hook: Hook, field: string): number | undefined {
  const front = fronts.get(hook)
  if (!front) return undefined
  const inner = [...front.lines.keys()].find((path) => path.startsWith('run.') && path.endsWith(`.${field}`))
  return lineOf(front, field) ?? (inner === undefined ? undefined : front.lines.get(inner))
}

/** Only plain files of a sane size are opened: a pipe would wait for ever, a device never ends. */
function textOf(file: string): string | Problem {
  const problem = (message: string, fix: string): Problem => ({ level: 'error', file, line: 1, message, fix })
  try {
    const stat = statSync(file)
    if (!stat.isFile()) return problem(`${FILE} is not a file.`, `Make ${FILE} a plain text file.`)
    if (stat.size > MAX_FILE)
      return problem(`The file is larger than ${MAX_FILE} bytes.`, 'Move long text to another file.')
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readBytes(file))
  } catch (thrown) {
    if (thrown instanceof TypeError) return problem('The file is not UTF-8 text.', 'Save the file as UTF-8.')
    return {
      ...problem(`The file cannot be read: ${messageOf(thrown)}.`, 'Check that it exists and may be read.'),
      unread: true,
    }
  }
}

function wrongCases(folder: string, names: readonly string[]): Problem[] {
  return names.filter(isWrongCase).map((name) => wrongCase(join(folder, name)))
}

function isWrongCase(name: string): boolean {
  return name !== FILE && name.toLowerCase() === FILE.toLowerCase()
}

function wrongCase(file: string): Problem {
  return {
    level: 'warning',
    file,
    message: `\`${basename(file)}\` is not read: the name of the file must be ${FILE}.`,
    fix: `Rename it to ${FILE}.`,
  }
}

function sameName(hook: Hook, earlier: Hook): Problem {
  const folder = basename(earlier.origin.dir ?? earlier.origin.file)
  return {
    level: 'warning',
    file: hook.origin.file,
    ...(hook.origin.line === undefined ? {} : { line: hook.origin.line }),
    field: 'name',
    hook: hook.name,
    message: `The hook in \`${folder}\` has the same name; this one takes its place.`,
    fix: 'Give each hook a name of its own.',
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

/** A hook that cannot be read is a problem, not an absent hook. */
function isFolder(path: string, { problems }: Loaded): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    if (!isAbsent(error)) problems.push(unreadable(path, error))
    else if (!basename(path).startsWith('.')) problems.push(...deadLink(path))
    return false
  }
}

function namesIn(folder: string, { problems }: Loaded): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (!isAbsent(error)) problems.push(unreadable(folder, error))
    return []
  }
}

function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR'
}

function unreadable(path: string, error: unknown): Problem {
  return {
    level: 'error',
    file: path,
    message: `It cannot be read, so that no hook of it runs: ${messageOf(error)}.`,
    fix: `Check who owns it and who may read it (\`ls -ld ${path}\`), or remove it.`,
    unread: true,
  }
}

function deadLink(path: string): Problem[] {
  let target: string
  try {
    target = readlinkSync(path)
  } catch {
    return [] // not a link: it was removed since its folder was read
  }
  return [
    {
      level: 'warning',
      file: path,
      message: `It is a link to ${target}, which is not there.`,
      fix: 'Bring back what it leads to, or remove the link.',
    },
  ]
}
