/** A HOOK.md, a hook's folder, or a folder of such folders → hooks and what is wrong with them. */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Source } from '../../spec/dialect.ts'
import { messageOf } from '../../spec/errors.ts'
import type { Hook, Loaded, Problem } from '../../spec/hook.ts'
import { type Frontmatter, MAX_FILE, parseFrontmatter } from './frontmatter.ts'
import { lineOf, toHook } from './hook.ts'

const FILE = 'HOOK.md'

export function read(source: Source): Loaded {
  const path = resolve(source.path)
  const loaded: Loaded = { hooks: [], problems: [] }
  if (source.text !== undefined || !isFolder(path)) {
    if (isWrongCase(basename(path))) loaded.problems.push(wrongCase(path))
    else if (source.text !== undefined || exists(path)) readHook(path, source, loaded)
  } else if (namesIn(path).includes(FILE)) readHook(join(path, FILE), source, loaded)
  else readFolder(path, source, loaded)
  return loaded
}

/** Direct children only, by name. */
function readFolder(folder: string, source: Source, loaded: Loaded): void {
  loaded.problems.push(...wrongCases(folder))
  const found: Loaded = { hooks: [], problems: loaded.problems }
  for (const name of namesIn(folder).sort()) {
    const child = join(folder, name)
    if (!isFolder(child)) continue
    if (namesIn(child).includes(FILE)) readHook(join(child, FILE), source, found)
    else loaded.problems.push(...wrongCases(child))
  }
  const byName = new Map<string, Hook>()
  for (const hook of found.hooks) {
    const earlier = byName.get(hook.name)
    if (earlier) loaded.problems.push(sameName(hook, earlier))
    byName.set(hook.name, hook)
  }
  loaded.hooks.push(...found.hooks)
}

function readHook(file: string, source: Source, loaded: Loaded): void {
  const text = source.text ?? textOf(file)
  if (typeof text !== 'string') {
    loaded.problems.push(text)
    return
  }
  const parsed = parseFrontmatter(text)
  if ('error' in parsed) {
    loaded.problems.push({ level: 'error', file, ...parsed.error })
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
  if (!hook) return
  loaded.hooks.push(hook)
  fronts.set(hook, parsed)
}

const fronts = new WeakMap<Hook, Frontmatter>()

/** Fields of `run` are known by their last word alone, such as `url`. */
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
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file))
  } catch (thrown) {
    if (thrown instanceof TypeError) return problem('The file is not UTF-8 text.', 'Save the file as UTF-8.')
    return problem(`The file cannot be read: ${messageOf(thrown)}.`, 'Check that it exists and may be read.')
  }
}

function wrongCases(folder: string): Problem[] {
  return namesIn(folder)
    .filter(isWrongCase)
    .map((name) => wrongCase(join(folder, name)))
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

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Names in a folder; none when there is no such folder. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
